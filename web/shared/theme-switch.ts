// Runs before the first paint: applies the reader's choice of light or dark, and lets a button change it. Sent as a plain
// script in the head, so that no page flashes in the wrong colours.
const KEY = "crowdtape-theme";

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function apply(theme: string | null): void {
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
}

apply(stored());
document.addEventListener("click", (event) => {
  const button = (event.target as Element | null)?.closest?.("[data-theme-switch]");
  if (!button) return;
  const isDark =
    (document.documentElement.dataset.theme ??
      (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const next = isDark ? "light" : "dark";
  apply(next);
  dispatchEvent(new Event("themechange"));
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // Without storage the choice still applies to this page.
  }
});
