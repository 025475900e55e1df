// What all of these pages share: head, style, the way to the others, and a small script that copies. Each is one text
// that needs nothing else, and works without the script too.
import { Html, html } from "../docs/html.ts";
import theme from "../theme.css" with { type: "text" };
import style from "./page.css" with { type: "text" };
import plans from "./plans.css" with { type: "text" };

export interface Frame {
  title: string;
  body: Html;
  narrow?: boolean;
  /** A page where no money moves says so before anything else. */
  test?: Html;
  /** Load the page again after so many seconds. */
  refreshSeconds?: number;
  current?: "/pricing" | "/recover";
}

const SCRIPT = `document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const text = document.getElementById(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(text.textContent);
    button.textContent = "Copied";
  } catch {
    getSelection().selectAllChildren(text);
    button.textContent = "Selected: copy it now";
  }
});
addEventListener("submit", (event) => setTimeout(() => {
  for (const button of event.target.elements) if (button.type === "submit") button.disabled = true;
}));
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });`;

/** Own pages learn where a form came from, other sites never: browsers then say Origin, which is checked. */
const REFERRER = "same-origin";

export function frame({ title, body, narrow, test, refreshSeconds, current }: Frame): string {
  const item = (path: string, name: string) =>
    html`<a href="${path}" ${path === current ? new Html('aria-current="page"') : ""}>${name}</a>`;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Crowdtape</title><meta name="color-scheme" content="light dark"><meta name="referrer" content="${REFERRER}">
${refreshSeconds === undefined ? "" : html`<meta http-equiv="refresh" content="${refreshSeconds}">`}
${current === "/pricing" ? "" : html`<meta name="robots" content="noindex">`}
<link rel="icon" href="data:,"><style>${new Html(theme + style + plans)}</style></head>
<body><a class="skip" href="#main">Skip to content</a>${test ?? ""}
<header class="top"><a class="brand" href="/docs">crowd<b>tape</b></a><nav aria-label="Pages">${item("/docs", "Reference")}${item("/pricing", "Pricing")}${item("/recover", "Lost key")}</nav></header>
<main id="main" class="${narrow ? "narrow" : ""}">${body}</main>
<script>${new Html(SCRIPT)}</script></body></html>`.text;
}

export function problemNote(problem: string | null): Html {
  return problem === null ? html`` : html`<p class="problem" role="alert">${problem}</p>`;
}

export function grouped(value: number): string {
  return value.toLocaleString("en-US");
}

/** $0, $49.99, $1,500. */
export function dollars(amountUsd: number): string {
  const digits = Number.isInteger(amountUsd) ? 0 : 2;
  return `$${amountUsd.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
}
