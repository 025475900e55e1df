// The page's script: filter the menu, copy a command, try a read. Without a key a read is tried as a visitor's, if the
// explorer is open.
import { call, keepKey, keyOfTab } from "../shared/api.ts";
import { copyText } from "../shared/copy.ts";
import type { VisitorMode } from "../shared/data.ts";

function client(): void {
  const all = <E extends Element>(selector: string) => [...document.querySelectorAll<E>(selector)];
  const key = document.querySelector<HTMLInputElement>("#key");
  const menu = document.querySelector<HTMLButtonElement>("#menu");
  const mode = (document.querySelector<HTMLElement>(".docs")?.dataset.mode ?? "off") as VisitorMode | "off";

  if (key) {
    key.value = keyOfTab() ?? "";
    key.addEventListener("input", () => keepKey(key.value.trim() || null));
  }

  menu?.addEventListener("click", () => {
    const open = document.body.classList.toggle("menu-open");
    menu.setAttribute("aria-expanded", String(open));
  });
  document.querySelector("#nav")?.addEventListener("click", (event) => {
    if (!(event.target as Element).closest("a")) return;
    document.body.classList.remove("menu-open");
    menu?.setAttribute("aria-expanded", "false");
  });

  const filter = document.querySelector<HTMLInputElement>("#filter");
  filter?.addEventListener("input", () => {
    const wanted = filter.value.trim().toLowerCase();
    for (const item of all<HTMLElement>("#nav li[data-find]"))
      item.hidden = !(item.dataset.find ?? "").includes(wanted);
    for (const group of all<HTMLElement>("#nav .group"))
      group.hidden = group.querySelector("li:not([hidden])") === null;
  });
  document.addEventListener("keydown", (event) => {
    const typing = (event.target as Element).matches?.("input, textarea");
    if (event.key !== "/" || typing || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    filter?.focus();
  });

  for (const button of all<HTMLButtonElement>(".copy"))
    button.addEventListener("click", async () => {
      const text = button.closest("figure")?.querySelector("pre")?.textContent ?? "";
      button.textContent = (await copyText(text)) ? "Copied" : "Press Ctrl+C";
      setTimeout(() => (button.textContent = "Copy"), 1500);
    });

  for (const form of all<HTMLFormElement>(".try form"))
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const output = form.parentElement?.querySelector("output");
      if (!output) return;
      let path = form.dataset.path ?? "/";
      const query = new URLSearchParams();
      for (const input of form.querySelectorAll("input")) {
        if (input.dataset.in === "path")
          path = path.replace(`{${input.name}}`, encodeURIComponent(input.value));
        else if (input.value !== "") query.set(input.name, input.value);
      }
      output.textContent = "…";
      const isOpen = mode === "open" && form.dataset.visitors === "yes";
      const asked = `${path}${query.size > 0 ? `?${query}` : ""}`;
      const { status, body } = await call(asked, isOpen ? "open" : "key");
      const shown = JSON.stringify(body, null, 2).slice(0, SHOWN_MAX);
      output.textContent = status === 0 ? "No answer." : `${status}\n\n${shown}`;
    });

  const links = new Map(all<HTMLAnchorElement>("#nav a").map((link) => [link.hash.slice(1), link]));
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        const link = links.get(target.id);
        if (!isIntersecting || !link) continue;
        for (const other of links.values()) other.removeAttribute("aria-current");
        link.setAttribute("aria-current", "true");
        link.scrollIntoView({ block: "nearest" });
      }
    },
    { rootMargin: "-10% 0px -80% 0px" },
  );
  for (const section of all("section[id]")) watcher.observe(section);
}

/** An answer can be megabytes; showing its beginning is enough. */
const SHOWN_MAX = 20_000;

client();
