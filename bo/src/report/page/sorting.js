// Sorting: the heads of a table as buttons that put its rows in order.

// What a cell is sorted by: its number where it has one; nothing sorts behind everything.
function sortKey(cell) {
  const text = cell.dataset.value ?? cell.textContent.trim();
  const number = Number(text.replace("−", "-"));
  return text === "" ? null : Number.isFinite(number) ? number : text;
}

function compared(a, b) {
  if (a === null || b === null) return (a === null) - (b === null);
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), "en");
}

function makeSortable(table) {
  const body = table.tBodies[0], heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    if (!head.textContent.trim()) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const descending = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", descending ? "descending" : "ascending");
      const rows = [...body.rows].map((row) => [sortKey(row.cells[column]), row]);
      // Equal rows keep their order; those without a value stay last either way.
      const way = (a, b) => (a === null || b === null || !descending ? compared(a, b) : compared(b, a));
      rows.sort(([a], [b]) => way(a, b));
      body.append(...rows.map(([, row]) => row));
    });
  });
}

document.querySelectorAll(".sortable table").forEach(makeSortable);
