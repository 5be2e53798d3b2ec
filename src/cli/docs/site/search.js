/* ndforge docs: the search box. Needs ranking.js, and the data of search-index.js and search-more.js. */
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

  var find = ndforgeRanking.finder(window.NDFORGE_OPERATIONS || [], window.NDFORGE_MORE);

  function element(name, className, text) {
    var made = document.createElement(name);
    if (className) made.className = className;
    if (text) made.textContent = text;
    return made;
  }

  function row(hit, index) {
    var item = element("li");
    item.id = "hit-" + index;
    item.setAttribute("role", "option");
    item.setAttribute("aria-selected", "false");
    var target = element("a");
    target.href = root + hit.entry.page;
    target.tabIndex = -1;
    var head = element("span", "head");
    head.appendChild(element(hit.entry.isPage ? "strong" : "code", "", hit.entry.name));
    // The alias, the synonym or the name elsewhere that matched.
    if (hit.via) head.appendChild(element("span", "muted", "also " + hit.via));
    head.appendChild(element("span", "family", hit.entry.family));
    target.appendChild(head);
    target.appendChild(element("span", "what", hit.entry.line));
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
    found.slice(0, MOST).forEach(function (hit, index) { list.appendChild(row(hit, index)); });
    if (!text) status.textContent = "";
    else if (found.length === 0) status.textContent = "nothing matches \u201c" + text + "\u201d";
    else if (found.length > MOST) status.textContent = "the first " + MOST + " of " + found.length + " results";
    else status.textContent = found.length === 1 ? "1 result" : found.length + " results";
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
