#!/usr/bin/env python3
"""libnd4jcpu.so as ND4J's JNI library finds it: LIBRARY SYMBOLS.

Every symbol of the list is there, all references bind at load time, and functions that exist only for the JNI library
do what their names say.
"""
import ctypes
import pathlib
import sys

LONGS = ctypes.POINTER(ctypes.c_longlong)
failures = 0


def check(what, got, expected):
    global failures
    if got != expected:
        failures += 1
        print(f'{what}: {got}, expected {expected}')


def longs(*values):
    return (ctypes.c_longlong * len(values))(*values)


def ints(*values):
    return (ctypes.c_int * len(values))(*values)


def main(path, symbols):
    library = ctypes.CDLL(path, mode=ctypes.RTLD_LOCAL | 2)  # RTLD_NOW
    names = pathlib.Path(symbols).read_text().split()
    check('symbols', len(names), 1520)
    check('missing symbols', [name for name in names if not hasattr(library, name)], [])

    def call(symbol, result, *arguments):
        function = getattr(library, symbol)
        function.restype = result
        return function(*arguments)

    info = longs(2, 3, 4, 4, 1, 0, 1, ord('c'))
    fortran = longs(2, 3, 4, 1, 3, 0, 1, ord('f'))
    check('calcStrides', call('_ZN5shape11calcStridesEPKxii', LONGS, longs(2, 3, 4), 3, 2)[:3], [24, 8, 2])
    check('calcStridesFortran', call('_ZN5shape18calcStridesFortranEPKxii', LONGS, longs(2, 3, 4), 3, 1)[:3], [1, 2, 6])
    values = longs(5, 6, 7)
    call('_ZN5shape13doPermuteSwapEiPxPi', None, 3, values, ints(2, 0, 1))
    check('doPermuteSwap', values[:], [7, 5, 6])
    check('everyIndexBut', call('_ZN5shape13everyIndexButEPKxiii', LONGS, longs(1, 3), 2, 0, 5)[:3], [0, 2, 4])
    check('areStridesDefault', call('_ZN5shape17areStridesDefaultEPKx', ctypes.c_bool, fortran), True)
    transposed = longs(2, 4, 3, 1, 4, 0, 1, ord('c'))
    check('areStridesDefault of a transposed array', call('_ZN5shape17areStridesDefaultEPKx', ctypes.c_bool, transposed),
          False)
    check('canReshape', call('_ZN5shape10canReshapeEiPxiS0_b', ctypes.c_bool, 2, info, 3, longs(2, 2, 3), False), True)
    check('canReshape of a transposed array',
          call('_ZN5shape10canReshapeEiPxiS0_b', ctypes.c_bool, 2, transposed, 1, longs(12), False), False)
    check('canReshape to another length',
          call('_ZN5shape10canReshapeEiPxiS0_b', ctypes.c_bool, 2, info, 1, longs(13), False), False)
    check('computeResultShape', call('_ZN5shape18computeResultShapeEPKxPii', LONGS, info, ints(1), 1)[:3], [1, 3, 1])
    check('computeResultShape of all', call('_ZN5shape18computeResultShapeEPKxPii', LONGS, info, ints(2**31 - 1), 1)[0], 0)
    check('createPermuteIndexes',
          call('_ZN5shape20createPermuteIndexesEiPii', ctypes.POINTER(ctypes.c_int), 4, ints(1), 1)[:4], [1, 2, 3, 0])
    check('tadElementWiseStride', call('_ZN5shape20tadElementWiseStrideEPxPii', ctypes.c_longlong, info, ints(0), 1), 4)
    check('shapeBufferOfNpy',
          call('_ZN5shape16shapeBufferOfNpyEiPjb', LONGS, 2, (ctypes.c_uint * 2)(3, 4), True)[:5], fortran[:5])
    check('strideDescendingCAscendingF', call('_ZN5shape27strideDescendingCAscendingFEPKx', ctypes.c_bool, transposed), False)
    check('keep', call('_ZN5shape4keepEPVxPKiii', LONGS, longs(5, 6, 7), ints(0, 2), 2, 3)[:2], [5, 7])
    copied = longs(0, 0)
    call('_ZN5shape6copyToEiPKxPxS2_', None, 2, longs(5, 6, 7), copied, longs(2, 0))
    check('copyTo', copied[:], [7, 5])
    # Row 1 of {3, 4} against {4}: element 6 is at column 2.
    row = longs(1, 4, 1, 0, 1, ord('c'))
    check('subArrayIndex', call('_ZN5shape13subArrayIndexExPKxS1_PKii', ctypes.c_longlong, ctypes.c_longlong(6), info, row,
                                None, -1), 2)
    column = longs(1, 3, 1, 0, 1, ord('c'))
    check('subArrayOffset', call('_ZN5shape14subArrayOffsetExPKxS1_PKii', ctypes.c_longlong, ctypes.c_longlong(6), info,
                                 column, ints(1), 1), 1)
    offsets = longs(0, 0, 0)
    check('outerArrayOffsets', call('_ZN5shape17outerArrayOffsetsEPxxPKxS2_PiPKi', ctypes.c_int, offsets,
                                    ctypes.c_longlong(2), info, row, None, None), 3)
    check('outerArrayOffsets, values', offsets[:], [2, 6, 10])
    three = [ctypes.c_longlong(-1) for _ in range(3)]
    call('_ZN5shape18getOffsetBroadcastERKxxPS0_S2_S2_bbPiRxS4_S4_', None, ctypes.byref(ctypes.c_longlong(0)),
         ctypes.c_longlong(5), info, fortran, info, False, True, None, *map(ctypes.byref, three))
    check('getOffsetBroadcast', [t.value for t in three], [5, 4, 5])
    reshaped = longs(2, 6, 2, 0, 0, 0, 0, ord('c'))
    check('reshapeC', call('_ZN5shape8reshapeCEPKxPx', ctypes.c_bool, info, reshaped), True)
    check('reshapeC, strides', reshaped[3:5], [2, 1])

    # struct ShapeInformation {shape, stride, order, rank, offset, elementWiseStride}
    class ShapeInformation(ctypes.Structure):
        _fields_ = [('shape', LONGS), ('stride', LONGS), ('order', ctypes.c_char), ('rank', ctypes.c_int),
                    ('offset', ctypes.c_int), ('ews', ctypes.c_int)]

    information = ShapeInformation(longs(3, 4), longs(4, 1), b'c', 2, 0, 1)
    buffer = call('_ZN5shape13toShapeBufferEPNS_16ShapeInformationE', LONGS, ctypes.byref(information))
    check('toShapeBuffer', buffer[:8], info[:])
    pointer = ctypes.pointer(information)
    call('_ZN5shape7permuteEPPNS_16ShapeInformationEPii', None, ctypes.byref(pointer), ints(1, 0), 2)
    check('permute', (information.shape[:2], information.stride[:2], information.order), ([4, 3], [1, 4], b'f'))

    environment = ctypes.c_void_p(call('_ZN2sd11Environment11getInstanceEv', ctypes.c_void_p))
    for value in True, False:
        call('_ZN2sd11Environment8setDebugEb', None, environment, ctypes.c_bool(value))
        check('Environment::isDebug', call('_ZN2sd11Environment7isDebugEv', ctypes.c_bool, environment), value)
    # The JNI library has 272 bytes for this object.
    memory = (ctypes.c_char * 272)()
    call('_ZN2sd5graph16ContextPrototypeC1EPNS_3ops12OpDescriptorEib', None, memory, None, 5, False)
    check('ContextPrototype::nodeId', call('_ZN2sd5graph16ContextPrototype6nodeIdEv', ctypes.c_int, memory), 5)
    return failures


if __name__ == '__main__':
    sys.exit(1 if main(*sys.argv[1:]) else 0)
