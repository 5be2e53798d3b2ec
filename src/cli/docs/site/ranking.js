/* ndforge docs: what a search finds, and in which order. It needs no browser: tests_cpu/scripts/docs_search.py runs it. */
var ndforgeRanking = (function () {
  "use strict";

  // How well a text fits what it was looked up by, from best to worst. Everything below FAR is one word among others.
  var SAME = 1000, SAME_ALIAS = 960, SAME_ELSEWHERE = 940, SAME_SYNONYM = 900;
  var BEGINS = 800, BEGINS_ALIAS = 740, BEGINS_ELSEWHERE = 720, BEGINS_SYNONYM = 640;
  var INSIDE = 560, TYPO = 480, WORDS = 300;
  // What a matching word counts, by where it stands.
  var IN_NAME = 1, IN_SYNONYM = 0.9, IN_ELSEWHERE = 0.8, IN_SUMMARY = 0.7, IN_FAMILY = 0.5;

  // Lower case, without the separators between the words of a name: "reduce sum" finds reduce_sum.
  function folded(text) {
    return text.toLowerCase().replace(/[^a-z0-9]+/g, "");
  }

  function wordsOf(text) {
    return text.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase().split(/[^a-z0-9]+/).filter(Boolean);
  }

  // Abbreviations that programs import modules by.
  function expanded(text) {
    return text.replace(/^\s*np\./, "numpy.").replace(/^\s*F\./, "torch.nn.functional.");
  }

  // How many letters may be wrong.
  function tolerance(length) {
    return length < 4 ? 0 : length < 7 ? 1 : 2;
  }

  // The number of letters to insert, leave out, exchange or swap with their neighbour; most + 1 when there are more.
  function distance(a, b, most) {
    if (Math.abs(a.length - b.length) > most) return most + 1;
    var before = [], above = [], row = [];
    for (var j = 0; j <= b.length; ++j) above[j] = j;
    for (var i = 1; i <= a.length; ++i) {
      row = [i];
      var least = i;
      for (j = 1; j <= b.length; ++j) {
        var change = a[i - 1] === b[j - 1] ? 0 : 1;
        row[j] = Math.min(above[j] + 1, row[j - 1] + 1, above[j - 1] + change);
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j], before[j - 2] + 1);
        least = Math.min(least, row[j]);
      }
      if (least > most) return most + 1;
      before = above;
      above = row;
    }
    return Math.min(above[b.length], most + 1);
  }

  // How well a word of the query fits a known word, from 0 to 1.
  function likeness(word, known) {
    if (word === known) return 1;
    if (known.indexOf(word) === 0) return word.length > 1 ? 0.85 : 0.6;
    // pooling, pool; multiply, multiplication
    var same = 0;
    while (same < word.length && same < known.length && word[same] === known[same]) ++same;
    if (same === known.length && same > 2 && /^(s|es|d|ed|r|er|ing|al|ly|ion)$/.test(word.slice(same))) return 0.8;
    if (same >= 5 && same >= word.length - 2) return 0.7;
    var most = tolerance(word.length), far = distance(word, known, most);
    if (far <= most) return 0.6 - 0.1 * far;
    // The beginning of a longer word, mistyped: "convult".
    if (word.length >= 5 && known.length > word.length && distance(word, known.slice(0, word.length), most) <= most) return 0.35;
    return 0;
  }

  function lastPart(name) {
    return name.slice(Math.max(name.lastIndexOf("."), name.lastIndexOf(":")) + 1);
  }

  // rows: [name, page, family, line, aliases]; more.operations: name -> [synonyms, names elsewhere, mentions];
  // more.pages: [title, page, kind, line, words]
  function entriesOf(rows, more) {
    var entries = rows.map(function (row) {
      var known = (more.operations || {})[row[0]] || [[], [], 0];
      var plain = row[0].slice(row[0].indexOf(".") + 1);
      return {
        name: row[0], page: row[1], family: row[2], line: row[3], plain: plain,
        aliases: row[4], synonyms: known[0], elsewhere: known[1], mentions: known[2],
        // Operations with a schema come before numbers, and both before gradients.
        kind: /_(bp|grad)$/.test(row[0]) ? 2 : /^[A-Z0-9_]+$/.test(row[2]) ? 1 : 0
      };
    });
    (more.pages || []).forEach(function (row) {
      entries.push({
        // sd::NDArray, array/NDArray.h
        name: row[0], page: row[1], family: row[2], line: row[3], plain: row[0].replace(/^.*(::|\/)/, "").replace(/\.h$/, ""),
        aliases: [], synonyms: row[4], elsewhere: [], mentions: 0, kind: row[2] === "header" ? 3.2 : 3, isPage: true
      });
    });
    entries.forEach(function (entry) {
      entry.foldedNames = [folded(entry.name), folded(entry.plain), folded(entry.name.replace(/^.*(::|\/)/, ""))];
      entry.foldedAliases = entry.aliases.map(folded);
      entry.foldedElsewhere = [];
      entry.elsewhere.forEach(function (name) {
        // numpy.logaddexp.reduce is no way to say "reduce".
        var last = lastPart(name);
        entry.foldedElsewhere.push(folded(name), last === "reduce" ? folded(name) : folded(last));
      });
      entry.foldedSynonyms = entry.synonyms.map(folded);
      entry.words = Object.create(null);
      function add(text, weight) {
        wordsOf(text).forEach(function (word) {
          // conv2d is a word, and so are conv and 2d.
          [word].concat(word.split(/(?=[0-9]d)/)).forEach(function (part) {
            entry.words[part] = Math.max(entry.words[part] || 0, weight);
          });
        });
      }
      [entry.name].concat(entry.aliases).forEach(function (text) { add(text, IN_NAME); });
      entry.synonyms.forEach(function (text) { add(text, IN_SYNONYM); });
      entry.elsewhere.forEach(function (text) { add(text, IN_ELSEWHERE); });
      add(entry.line, IN_SUMMARY);
      add(entry.family, IN_FAMILY);
    });
    return entries;
  }

  // The best of `texts` for the query: SAME, BEGINS, INSIDE, TYPO or nothing, and which text it was.
  function closest(query, texts, most) {
    var best = { how: 0, at: -1 };
    texts.forEach(function (text, at) {
      var how = 0;
      if (text === query) how = 4;
      else if (text.indexOf(query) === 0) how = 3;
      else if (query.length > 2 && text.indexOf(query) > 0) how = 2;
      else if (most > 0) {
        var far = distance(query, text, most);
        if (far <= most) how = 1.5 - far / 10;
      }
      if (how > best.how) best = { how: how, at: at };
    });
    return best;
  }

  function byWhole(entry, query) {
    var most = tolerance(query.length);
    var found = { score: 0, via: "" };
    function consider(match, same, begins, inside, via) {
      var score = match.how === 4 ? same : match.how === 3 ? begins : match.how === 2 ? inside : 0;
      var mistyped = match.how > 0 && match.how < 2;
      if (mistyped) score = TYPO + 100 * (match.how - 1.5) - (SAME - same) / 4;
      if (score > found.score) found = { score: score, via: via, mistyped: mistyped };
    }
    var name = closest(query, entry.foldedNames, most);
    consider(name, SAME, BEGINS, query.length > 1 ? INSIDE : 0, "");
    var alias = closest(query, entry.foldedAliases, most);
    consider(alias, SAME_ALIAS, BEGINS_ALIAS, 0, entry.aliases[alias.at]);
    var other = closest(query, entry.foldedElsewhere, most);
    consider(other, SAME_ELSEWHERE, BEGINS_ELSEWHERE, 0, entry.elsewhere[other.at >> 1]);
    var synonym = closest(query, entry.foldedSynonyms, most);
    consider(synonym, SAME_SYNONYM, BEGINS_SYNONYM, 0, entry.synonyms[synonym.at]);
    return found;
  }

  // How well the words of the query fit words of the entry, and how many letters the others have. `like` remembers what a word fits.
  function byWords(entry, words, like) {
    var sum = 0, missing = 0, mistyped = false;
    words.forEach(function (word) {
      var best = 0, asWritten = false;
      for (var known in entry.words) {
        var fits = like(word, known);
        if (fits * entry.words[known] > best) {
          best = fits * entry.words[known];
          asWritten = fits > 0.6;
        }
      }
      if (best === 0) missing += word.length;
      else if (!asWritten) mistyped = true;
      sum += best;
    });
    var score = sum === 0 ? 0 : 100 + (WORDS - 100) * sum / words.length;
    return { score: score, missing: missing, mistyped: mistyped, via: "" };
  }

  // A function that finds entries by a text, best first: [{entry, score, via}].
  function finder(rows, more) {
    var entries = entriesOf(rows, more || {});
    var remembered = Object.create(null);
    function like(word, known) {
      var fits = remembered[word] || (remembered[word] = Object.create(null));
      return known in fits ? fits[known] : (fits[known] = likeness(word, known));
    }
    return function (text) {
      text = expanded(text);
      var query = folded(text), words = wordsOf(text), sign = text.trim();
      // torch.nn.functional.softmax: the last part is the name.
      var part = text.indexOf(".") > 0 ? folded(lastPart(text)) : "";
      if (part.length < 2) part = "";
      remembered = Object.create(null);
      var found = [];
      entries.forEach(function (entry) {
        var hit = query ? byWhole(entry, query) : { score: 0 };
        var loose = query ? byWords(entry, words, like) : { score: 0 };
        if (loose.score > hit.score) {
          hit = loose;
        } else if (loose.score && !loose.missing && !loose.mistyped) {
          hit.missing = 0;
          hit.mistyped = false;
        }
        if (part) {
          var last = byWhole(entry, part);
          last.score -= 60;
          if (last.score > hit.score) hit = last;
        }
        // "+", "*"
        if (sign && entry.synonyms.indexOf(sign) >= 0 && hit.score < SAME_SYNONYM) hit = { score: SAME_SYNONYM, via: sign };
        hit.entry = entry;
        if (hit.score > 0) found.push(hit);
      });
      // The strictest of these that leaves anything: everything fits as it is written; some words are mistyped; at least
      // half of the text fits.
      var rules = [
        function (hit) { return !hit.missing && !hit.mistyped; },
        function (hit) { return !hit.missing; },
        function (hit) { return 2 * hit.missing <= query.length && !hit.mistyped; }
      ];
      var chosen = [];
      for (var i = 0; i < rules.length && chosen.length === 0; ++i) chosen = found.filter(rules[i]);
      found = chosen;
      found.forEach(function (hit) {
        // Near names of the same rank: what other operations refer to comes first, then the shorter name. A file is the
        // one that is written like the text.
        var entry = hit.entry, file = "/" + sign;
        hit.order = hit.score + (sign && entry.name.slice(-file.length) === file ? 2 : 0) - 40 * entry.kind * (hit.score < SAME ? 1 : 0.1) + 2 * Math.min(entry.mentions, 10) -
          0.4 * Math.min(entry.plain.length, 40);
      });
      found.sort(function (a, b) {
        return b.order - a.order || (a.entry.name < b.entry.name ? -1 : a.entry.name > b.entry.name ? 1 : 0);
      });
      return found;
    };
  }

  return { finder: finder, distance: distance };
})();
