// Front: a slider that shows one of the gains along a trade-off. Without scripts all of them are shown.

document.querySelectorAll(".front").forEach((front) => {
  const range = front.querySelector("input"), points = [...front.querySelectorAll(".point")];
  const show = () => {
    points.forEach((point, k) => { point.hidden = k !== Number(range.value); });
    range.setAttribute("aria-valuetext", points[range.value].querySelector("p").textContent);
  };
  range.addEventListener("input", show);
  show();
});
