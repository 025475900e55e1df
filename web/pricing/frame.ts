// What all of these pages share: the bar, the way to the others, and a note of what went wrong. They work without their
// script too.
import { h } from "preact";
import type { AssetUrls } from "../assets/assets.ts";
import { renderDocument, rendered } from "../shared/document.tsx";
import { type Html, html } from "../shared/html.ts";
import { Foot, Masthead } from "../shared/masthead.tsx";

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

export interface FrameSettings {
  assets: AssetUrls;
  /** Whether there is an explorer to lead to. */
  explorer: boolean;
}

export function drawFrame(frame: Frame, { assets, explorer }: FrameSettings): string {
  const { title, test, narrow } = frame;
  const current = frame.current ?? "";
  const body = html`<a class="skip" href="#main">Skip to content</a>${test ?? ""}${rendered(h(Masthead, { current, explorer }))}
<main id="main" class="${narrow ? "narrow" : ""}">${frame.body}</main>${rendered(h(Foot, {}))}`;
  return renderDocument(
    {
      title: `${title} · Crowdtape`,
      description: "Plans, prices and keys of the Crowdtape API.",
      url: current === "/pricing" ? "/pricing" : null,
      body,
      scripts: ["pricing.js"],
      styles: ["pricing.css"],
      // Browsers then say where a form came from, which is checked.
      referrer: "same-origin",
      ...(frame.refreshSeconds === undefined ? {} : { refreshSeconds: frame.refreshSeconds }),
    },
    assets,
  );
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
