/* ndforge docs: the search box. Needs search-index.js, which sets NDFORGE_OPERATIONS. */
(function () {
  "use strict";
  var MOST = 40;
  var root = document.documentElement.getAttribute("data-root");
  var form = document.querySelector("form.search");
  var input = document.getElementById("search");
  var results = document.getElementById("results");
  var list = document.getElementById("hits");
  var status = document.getElementById("status");
  var active = -1;

  // Lower case, without the separators between the words of a name: "reduce sum" finds reduce_sum.
  function folded(text) {
    return text.toLowerCase().replace(/[\s_.\-]+/g, "");
  }

  var operations = (window.NDFORGE_OPERATIONS || []).map(function (row) {
    var plain = row[0].slice(row[0].indexOf(".") + 1);
    return {
      name: row[0], page: row[1], family: row[2], line: row[3], aliases: row[4],
      numbered: /^[A-Z0-9_]+$/.test(row[2]),
      folded: folded(row[0]), plain: folded(plain),
      foldedAliases: row[4].map(folded),
      words: (row[0] + " " + row[4].join(" ") + " " + row[2] + " " + row[3]).toLowerCase().split(/[^a-z0-9]+/)
    };
  });

  // Lower is better: the name, its beginning, an alias, the inside of the name, words. -1 is no match.
  function rank(op, query, words) {
    if (op.folded === query || op.plain === query) return 0;
    if (op.folded.indexOf(query) === 0 || op.plain.indexOf(query) === 0) return 1;
    if (op.foldedAliases.indexOf(query) >= 0) return 2;
    if (op.foldedAliases.some(function (alias) { return alias.indexOf(query) === 0; })) return 3;
    if (query.length > 1 && op.folded.indexOf(query) >= 0) return 4;
    var all = words.length > 0 && words.every(function (word) {
      return op.words.some(function (known) { return known.indexOf(word) === 0; });
    });
    return all ? 5 : -1;
  }

  function find(text) {
    var query = folded(text);
    var words = text.toLowerCase().split(/[^a-z0-9]+/).filter(Boolean);
    if (!query) return [];
    var found = [];
    operations.forEach(function (op) {
      var far = rank(op, query, words);
      if (far >= 0) found.push({ op: op, rank: far });
    });
    found.sort(function (a, b) {
      return a.rank - b.rank || a.op.numbered - b.op.numbered || a.op.plain.length - b.op.plain.length ||
        (a.op.name < b.op.name ? -1 : a.op.name > b.op.name ? 1 : 0);
    });
    return found;
  }

  function element(name, className, text) {
    var made = document.createElement(name);
    if (className) made.className = className;
    if (text) made.textContent = text;
    return made;
  }

  // The alias that matched, shown beside the name.
  function matchedAlias(hit, text) {
    if (hit.rank !== 2 && hit.rank !== 3) return "";
    var query = folded(text);
    return hit.op.aliases.filter(function (alias) { return folded(alias).indexOf(query) === 0; })[0] || "";
  }

  function row(hit, text, index) {
    var item = element("li");
    item.id = "hit-" + index;
    item.setAttribute("role", "option");
    item.setAttribute("aria-selected", "false");
    var target = element("a");
    target.href = root + hit.op.page;
    target.tabIndex = -1;
    var head = element("span", "head");
    head.appendChild(element("code", "", hit.op.name));
    var alias = matchedAlias(hit, text);
    if (alias) head.appendChild(element("span", "muted", "also " + alias));
    head.appendChild(element("span", "family", hit.op.family));
    target.appendChild(head);
    target.appendChild(element("span", "what", hit.op.line));
    item.appendChild(target);
    return item;
  }

  function activate(index) {
    var rows = list.children;
    if (active >= 0 && rows[active]) rows[active].setAttribute("aria-selected", "false");
    active = index;
    if (active < 0 || !rows[active]) {
      input.removeAttribute("aria-activedescendant");
      return;
    }
    rows[active].setAttribute("aria-selected", "true");
    input.setAttribute("aria-activedescendant", rows[active].id);
    rows[active].scrollIntoView({ block: "nearest" });
  }

  function open(isOpen) {
    results.hidden = !isOpen;
    input.setAttribute("aria-expanded", String(isOpen));
    if (!isOpen) activate(-1);
  }

  function update() {
    var text = input.value.trim();
    var found = find(text);
    list.textContent = "";
    active = -1;
    found.slice(0, MOST).forEach(function (hit, index) { list.appendChild(row(hit, text, index)); });
    if (!text) status.textContent = "";
    else if (found.length === 0) status.textContent = "no operation matches \u201c" + text + "\u201d";
    else if (found.length > MOST) status.textContent = "the first " + MOST + " of " + found.length + " operations";
    else status.textContent = found.length === 1 ? "1 operation" : found.length + " operations";
    results.scrollTop = 0;
    open(text !== "");
    activate(found.length > 0 ? 0 : -1);
  }

  function follow() {
    var chosen = list.children[Math.max(active, 0)];
    if (chosen) window.location.href = chosen.firstChild.href;
  }

  input.addEventListener("input", update);
  input.addEventListener("focus", function () { if (input.value.trim()) update(); });
  input.addEventListener("keydown", function (event) {
    var count = list.children.length;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (results.hidden) return update();
      if (count > 0) activate((active + (event.key === "ArrowDown" ? 1 : count - 1)) % count);
    } else if (event.key === "Escape") {
      if (results.hidden) return;  // browsers then clear the box
      event.preventDefault();
      open(false);
    }
  });
  form.addEventListener("submit", function (event) {
    event.preventDefault();
    follow();
  });
  form.addEventListener("focusout", function (event) {
    if (event.relatedTarget && !form.contains(event.relatedTarget)) open(false);
  });
  document.addEventListener("click", function (event) {
    if (!form.contains(event.target)) open(false);
  });
  document.addEventListener("keydown", function (event) {
    var at = event.target;
    var typing = at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName);
    if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
    input.select();
  });

  form.hidden = false;
  document.querySelectorAll(".js-only").forEach(function (part) { part.hidden = false; });
  // index.html?q=gather
  var asked = /[?&]q=([^&#]*)/.exec(window.location.search);
  if (asked) {
    try {
      input.value = decodeURIComponent(asked[1].replace(/\+/g, " "));
    } catch (ignored) {
      input.value = "";
    }
    input.focus();
    update();
  }
})();
