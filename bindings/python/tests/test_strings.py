"""Strings: arrays of them, operators, and operations, with Python's str and re as the reference."""

import copy
import operator
import pickle
import re

import numpy as np
import pytest

import ndforge as nd

WORDS = ['pear', 'Apple', '', 'ß', 'épée', '日本語', 'banana', ' apple ', 'a\U0001f600b', 'ZZ', 'zz', '12', '\uffff', '\U00010000']
ENCODINGS = ['utf8', 'utf16', 'utf32']
COMPARISONS = [operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge]


def each(function, *lists):
    return [function(*values) for values in zip(*lists)]


@pytest.mark.parametrize('dtype', ENCODINGS)
def test_arrays(dtype):
    x = nd.array(WORDS, dtype=dtype)
    assert x.dtype.name == dtype and x.dtype.kind == 'U' and x.shape == (len(WORDS),) and len(x) == len(WORDS)
    assert x.tolist() == WORDS and [value.item() for value in x] == WORDS
    assert x[5].item() == '日本語' and x[-1].item() == WORDS[-1] and str(x[4]) == 'épée'
    assert x[2:9:3].tolist() == WORDS[2:9:3] and x[::-1].tolist() == WORDS[::-1]
    assert x.reshape(7, 2)[3].tolist() == WORDS[6:8] and x.reshape(2, 7).T.tolist() == list(map(list, zip(WORDS[:7], WORDS[7:])))
    for again in (pickle.loads(pickle.dumps(x)), copy.deepcopy(x), x.copy()):
        assert again.dtype == x.dtype and again.tolist() == WORDS
    for other in ENCODINGS:
        assert x.astype(other).tolist() == WORDS and x.astype(other).dtype.name == other
    with pytest.raises(TypeError):
        x[0] = 1  # a string is not replaced by a number


def test_numpy():
    x = nd.array(WORDS)
    a = np.asarray(x)
    assert a.dtype.kind == 'U' and a.tolist() == WORDS and x.numpy().tolist() == WORDS
    assert np.asarray(x.reshape(7, 2)).shape == (7, 2)
    for back in (nd.array(a), nd.asarray(a), nd.array(a.astype(object)), nd.array(list(a)), nd.array(a, dtype=np.str_)):
        assert back.dtype == nd.utf8 and back.tolist() == WORDS
    assert nd.array(a.reshape(7, 2).T, dtype=nd.utf16).tolist() == a.reshape(7, 2).T.tolist()
    assert nd.array(np.array('text')).item() == 'text' and nd.array(a[:0]).dtype == nd.utf8
    assert (x == a).all() and (x < a[::-1]).tolist() == (a < a[::-1]).tolist() and nd.array(np.str_('a')).item() == 'a'
    with pytest.raises(ValueError):
        nd.array(a, copy=False)
    with pytest.raises(TypeError):
        nd.array(np.array(['a', 1], dtype=object))
    with pytest.raises(TypeError, match='elements like those of'):
        nd.array(np.array(['2024-01-01'], dtype='datetime64[D]'))


@pytest.mark.parametrize('dtype', ENCODINGS)
def test_every_character(dtype):
    words = ['a\0b', '\0', 'a', ''.join(map(chr, range(1, 300))), '\ud7ff\ue000\U0010ffff']
    x = nd.array(words, dtype=dtype)
    assert x.tolist() == words and (x == 'a\0b').tolist() == [True, False, False, False, False]
    assert (x + '\0').tolist() == [word + '\0' for word in words] and nd.string_length(x).tolist() == [len(w) for w in words]
    assert pickle.loads(pickle.dumps(x)).tolist() == words
    with pytest.raises(UnicodeEncodeError):
        nd.array(['\ud800'])


def test_creation():
    for dtype in ENCODINGS:
        for x in (nd.zeros((2, 3), dtype), nd.empty((2, 3), dtype), nd.zeros_like(nd.array([['a'] * 3] * 2, dtype=dtype))):
            assert x.dtype.name == dtype and x.tolist() == [[''] * 3] * 2
        assert nd.full((2,), 'ß', dtype).tolist() == ['ß', 'ß'] and nd.full((2,), 'ß', dtype).dtype.name == dtype
        assert nd.zeros((), dtype).item() == '' and nd.zeros((2, 0), dtype).shape == (2, 0)
    assert nd.full((2, 2), nd.array(['a', 'b'])).tolist() == [['a', 'b']] * 2 and nd.full((0,), 'a').size == 0
    for wrong in (lambda: nd.ones(2, nd.utf8), lambda: nd.full(2, 'a', nd.float32), lambda: nd.full(2, 1, nd.utf8)):
        with pytest.raises((TypeError, ValueError)):
            wrong()


def test_bytes_that_are_no_utf8():
    text = b'a\xff'.decode('utf-8', 'surrogateescape')
    assert nd.array([text, 'b']).tolist() == [text, 'b']
    with pytest.raises(ValueError, match='string_upper'):
        nd.string_upper([text])


def test_text():
    assert str(nd.array(['a', 'bc'])) == "['a' 'bc']" == str(np.array(['a', 'bc']))
    assert repr(nd.array(['a', 'bc'])) == "array(['a', 'bc'])"
    assert repr(nd.array(['a'], dtype=nd.utf16)) == "array(['a'], dtype=utf16)"
    assert str(nd.array([['a', 'bc'], ["it's", '']])) == str(np.array([['a', 'bc'], ["it's", '']]))
    assert str(nd.array('text')) == 'text' and f"{nd.array('text'):>6}" == '  text'


@pytest.mark.parametrize('a', ENCODINGS)
@pytest.mark.parametrize('b', ENCODINGS)
def test_comparisons(a, b):
    others = WORDS[3:] + WORDS[:3]
    others[0] = WORDS[0]
    x, y = nd.array(WORDS, dtype=a), nd.array(others, dtype=b)
    for compare in COMPARISONS:
        result = compare(x, y)
        assert result.dtype == nd.bool_ and result.tolist() == each(compare, WORDS, others), compare
        assert compare(x, x).tolist() == each(compare, WORDS, WORDS)


@pytest.mark.parametrize('dtype', ENCODINGS)
def test_comparisons_with_python(dtype):
    x = nd.array(WORDS, dtype=dtype)
    for compare in COMPARISONS:
        for text in ('pear', '', 'é', '日本', '\U0001f600'):
            assert compare(x, text).tolist() == [compare(word, text) for word in WORDS]
            assert compare(text, x).tolist() == [compare(text, word) for word in WORDS]
            assert compare(x[0], text).item() is compare('pear', text)
        assert compare(x, WORDS[::-1]).tolist() == each(compare, WORDS, WORDS[::-1])
        table = compare(x.reshape(-1, 1), nd.array(['b', 'pear', 'é']))
        assert table.tolist() == [[compare(word, text) for text in ('b', 'pear', 'é')] for word in WORDS]
    assert x[[3, -1]].tolist() == [WORDS[3], WORDS[-1]] and x.reshape(2, -1)[:, [1, 0]].tolist() == [WORDS[1::-1], WORDS[8:6:-1]]
    assert x[x == 'nothing'].shape == (0,) and x[nd.array([[0], [1]])].tolist() == [WORDS[:1], WORDS[1:2]]
    assert 'pear' in x and 'pea' not in x and x[x == 'ß'].tolist() == ['ß'] and bool((x == 'ZZ').any())
    with pytest.raises(ValueError):
        x == nd.array(['a', 'b'])
    assert (nd.array(['a'])[:0] == 'a').shape == (0,)


def test_texts_and_numbers():
    x = nd.array(['1', '2'])
    for number in (1, 2.5, True, 1j, nd.array([1, 2]), nd.array([[1.5], [2.5]])):
        shape = (2, 2) if getattr(number, 'ndim', 0) == 2 else (2,)
        for equal, unequal in ((x == number, x != number), (number == x, number != x)):
            assert equal.shape == shape and not equal.any() and unequal.all()
        for compare in COMPARISONS[2:]:
            with pytest.raises(TypeError, match='texts and numbers have no order'):
                compare(x, number)
    assert not (nd.array([1, 2]) == ['1', '2']).any() and (nd.array([1, 2]) != ('1', '2')).all() and not (x == [1, 2]).any()
    assert not (nd.array([1, 2]) == nd.array('1')).any() and '1' not in nd.array([1, 2])
    assert (x == None) is False and (x != None) is True  # noqa: E711
    assert (x == object()) is False


def test_sums():
    x = nd.array(['a', 'ß', ''])
    assert (x + '!').tolist() == ['a!', 'ß!', '!'] and ('<' + x + '>').tolist() == ['<a>', '<ß>', '<>']
    assert (x + x).tolist() == ['aa', 'ßß', ''] and (x + ['1', '2', '3']).tolist() == ['a1', 'ß2', '3']
    assert (x.reshape(3, 1) + nd.array(['x', 'y'])).tolist() == [['ax', 'ay'], ['ßx', 'ßy'], ['x', 'y']]
    wide = x.astype(nd.utf32)
    assert ('<' + wide).dtype == nd.utf32 and (wide + '日').tolist() == ['a日', 'ß日', '日'] and (x + wide).dtype == nd.utf8
    y = x
    x += '.'
    assert x.tolist() == ['a.', 'ß.', '.'] and y.tolist() == ['a', 'ß', '']


def test_arithmetic_without_sense():
    x = nd.array(['a', 'b'])
    for call in (operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow, operator.matmul,
                 operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift):
        for other in (x, 'a'):
            with pytest.raises((TypeError, ValueError) if call is operator.matmul else TypeError):
                call(x, other)
        for left, right in ((x, 2), (2.5, x), (x, nd.array([1, 2]))):
            with pytest.raises((TypeError, ValueError) if call is operator.matmul else TypeError):
                call(left, right)
    for call in (operator.neg, operator.pos, abs, operator.invert):
        with pytest.raises(TypeError):
            call(x)
    for wrong in (lambda: x + 1, lambda: 1.5 + x, lambda: x + nd.array([1, 2]), lambda: nd.array([1, 2]) + 'a'):
        with pytest.raises(TypeError, match='texts and numbers'):
            wrong()
    numbers = nd.array([1.0, 2.0])
    with pytest.raises(TypeError):
        numbers += 'a'
    with pytest.raises(TypeError, match='UTF8'):
        x - x


@pytest.mark.parametrize('dtype', ENCODINGS)
def test_operations(dtype):
    x = nd.array(WORDS, dtype=dtype)
    for result, expected in (
            (nd.string_upper(x), [word.upper() for word in WORDS]),
            (nd.string_lower(nd.array(['ΑΣ', 'ÀB', 'İ'], dtype=dtype)), [word.lower() for word in ('ΑΣ', 'ÀB', 'İ')]),
            (nd.string_lower(x), [word.lower() for word in WORDS]),
            (nd.string_strip(x), [word.strip() for word in WORDS]),
            (nd.string_strip(x, 'aZ', ends='left'), [word.lstrip('aZ') for word in WORDS]),
            (nd.string_strip(x, 'aZ', ends='right'), [word.rstrip('aZ') for word in WORDS]),
            (nd.string_length(x), [len(word) for word in WORDS]),
            (nd.string_concat([x, '-', x]), [word + '-' + word for word in WORDS]),
            (nd.string_substr(x, 1, 2), [word[1:3] for word in WORDS]),
            (nd.string_substr(x, -2, 1), [word[max(len(word) - 2, 0):][:1] for word in WORDS]),
            (nd.string_replace(x, 'a', 'oo'), [word.replace('a', 'oo') for word in WORDS]),
            (nd.string_replace(x, '', '.', count=2), [word.replace('', '.', 2) for word in WORDS]),
            (nd.string_find(x, 'an'), [word.find('an') for word in WORDS]),
            (nd.string_find(x, 'a', last=True), [word.rfind('a') for word in WORDS]),
            (nd.string_compare(x, 'b', relation='less'), [word < 'b' for word in WORDS])):
        assert result.tolist() == expected
    encoded = {'utf8': 'utf-8', 'utf16': 'utf-16-le', 'utf32': 'utf-32-le'}[dtype]
    assert nd.string_length(x, unit='byte').tolist() == [len(word.encode(encoded)) for word in WORDS]


@pytest.mark.parametrize('pattern', ['a', '[ap]+', 'b?a.*', '(an)+', '.', '^$', r'\d+', '日|ß', '(?i)apple'])
def test_regular_expressions(pattern):
    x = nd.array(WORDS)
    for part, match in (('whole', re.fullmatch), ('start', re.match), ('any', re.search)):
        assert nd.regex_match(x, pattern, part=part).tolist() == [match(pattern, word) is not None for word in WORDS]
    assert nd.regex_replace(x, pattern, r'<\0>').tolist() == [re.sub(pattern, r'<\g<0>>', word) for word in WORDS]
    assert nd.regex_replace(x, pattern, '', all=False).tolist() == [re.sub(pattern, '', word, count=1) for word in WORDS]


def test_numbers_and_strings():
    texts = ['1.5', ' -2e3 ', '+0.1', 'inf', '-Infinity', '1e400', '-0']
    found = nd.string_to_number(texts, dtype=nd.float64)
    assert found.dtype == nd.float64 and found.tolist() == [float(text) for text in texts]
    assert nd.string_to_number(['12', '-7', ' 3'], dtype=nd.int64).tolist() == [12, -7, 3]
    values = [0.1, -2.5, 1e300, 1e-7, 0.0, float('inf'), float('nan'), 123456789.125]
    assert nd.number_to_string(values).tolist() == [str(value) for value in values]
    assert nd.number_to_string([0.1], encoding='utf16').dtype == nd.utf16
    assert nd.number_to_string(nd.array([1, -5])).tolist() == ['1', '-5']
    assert nd.number_to_string([True, False]).tolist() == ['True', 'False']
    assert nd.number_to_string([1 + 2j, -0.5j]).tolist() == [str(1 + 2j), str(-0.5j)]
    singles = np.array([0.1, 1 / 3, 1e10], np.float32)
    assert nd.number_to_string(nd.array(singles)).tolist() == [str(value) for value in singles]
    for wrong in ('', 'x', '1 2', '0x10'):
        with pytest.raises(ValueError, match='string_to_number'):
            nd.string_to_number([wrong], dtype=nd.float64)
    with pytest.raises(ValueError):
        nd.string_to_number(['300'], dtype=nd.int8)


@pytest.mark.parametrize('dtype', ENCODINGS)
def test_sorting(dtype):
    words = WORDS + ['pear', '', 'ß']
    x = nd.array(words, dtype=dtype)
    assert nd.sort(x, axis=0).tolist() == sorted(words)
    assert nd.sort(x, axis=0, descending=True).tolist() == sorted(words, reverse=True)
    order = nd.argsort(x, axis=0).tolist()
    assert order == sorted(range(len(words)), key=words.__getitem__)
    values, indices = nd.unique(x)[:2]
    assert values.tolist() == list(dict.fromkeys(words))
    assert [values.tolist()[i] for i in indices.tolist()] == words
    counts = nd.unique_with_counts(x)
    assert counts[2].tolist() == [words.count(word) for word in dict.fromkeys(words)]


def test_moved_texts():
    x = nd.array([['a', 'bb', ''], ['ccc', '日', 'x']])
    a = np.array(x.tolist())
    assert nd.concat([x, x], axis=1).tolist() == np.concatenate([a, a], 1).tolist()
    assert nd.stack([x, x], axis=-1).tolist() == np.stack([a, a], -1).tolist()
    assert nd.gather(x, [2, 0, -1], axis=1).tolist() == a[:, [2, 0, -1]].tolist()
    assert nd.select(nd.array([True, False]), x, x[::-1]).tolist() == [a[0].tolist(), a[0].tolist()]
    assert nd.transpose(x).tolist() == a.T.tolist()
    assert x[[1, 0], 1:].tolist() == a[[1, 0], 1:].tolist() and x[x == 'bb'].tolist() == ['bb']
    assert x[:, [1, 2], None].tolist() == a[:, [1, 2], None].tolist()
    assert nd.concat([nd.array(['a'], dtype=nd.utf16), nd.array(['b'], dtype=nd.utf16)], axis=0).dtype == nd.utf16
    with pytest.raises(ValueError, match='input 2 .y.: numbers are given with strings'):
        nd.select(nd.array(True), x, nd.zeros((2, 3)))


def test_replaced_texts():
    for index, value in ((0, 'new'), ((1, 2), ''), ((slice(None), 1), ['p', 'q']), (slice(None, None, -1), [['1', '2', '3']]),
                         (np.array([[True, False, True], [False, False, True]]), 'm'), (([0, 1], [2, 0]), ['日', 'long text']),
                         (Ellipsis, 'all')):
        a = np.array([['a', 'bb', ''], ['ccc', '日', 'x']], dtype='<U9')
        x = nd.array(a.tolist())
        x[index] = value
        a[index] = value
        assert x.tolist() == a.tolist(), index
    x = nd.array(['a', 'b'], dtype=nd.utf16)
    y = x[:1]
    y[0] = 'c'
    assert x.tolist() == ['a', 'b'] and y.tolist() == ['c'] and y.dtype == nd.utf16
    x[[]] = 'nothing'
    assert x.tolist() == ['a', 'b']
    with pytest.raises(TypeError, match='texts cannot be replaced by int64'):
        x[0] = 1
    with pytest.raises(ValueError, match='does not broadcast'):
        x[:] = ['a', 'b', 'c']
    with pytest.raises(IndexError):
        x[2] = 'a'
    scalar = nd.array('a')
    scalar[()] = 'b'
    assert scalar.tolist() == 'b'


def test_moved_texts_in_graphs():
    graph = nd.Graph()
    x = graph.placeholder('x', nd.utf8, (None, 2))
    i = graph.placeholder('i', nd.int64, (None,))
    turned = nd.reverse(nd.gather(nd.concat([x, x], axis=1), i, axis=1), axis=[1]).named('turned')
    nd.string_upper(turned).named('upper')
    session = nd.Session(graph, ['turned', 'upper'])
    for text in ('', 'd', 'longer than before'):
        a = np.array([['b', 'a'], ['c', text]])
        expected = np.concatenate([a, a], 1)[:, [1, 0, 3]]
        found = session.run(x=nd.array(a.tolist()), i=nd.array([3, 0, 1]))
        assert [each.tolist() for each in found] == [expected.tolist(), np.strings.upper(expected).tolist()]
