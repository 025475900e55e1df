/** @jsxImportSource preact */
// Shared by all of these pages: the header, navigation, and an error notice. They also work without their script.
import type { ComponentChildren, VNode } from "preact";
import type { AssetUrls } from "../assets/assets.ts";
import { renderDocument } from "../shared/document.tsx";
import { Foot, Masthead } from "../shared/masthead.tsx";

export interface PageFrame {
  title: string;
  body: VNode;
  narrow?: boolean;
  /** A page where no money moves says so first. */
  test?: VNode;
  /** Reloads the page after this many seconds. */
  refreshSeconds?: number;
  current?: "/pricing" | "/recover";
}

export interface FrameSettings {
  assets: AssetUrls;
  /** Whether there is an explorer to link to. */
  explorer: boolean;
  /** The base URL of commands on the pages. */
  publicUrl: () => string;
  isSimulated: () => boolean;
}

export function drawFrame(frame: PageFrame, { assets, explorer, isSimulated }: FrameSettings): string {
  const current = frame.current ?? "";
  return renderDocument(
    {
      title: `${frame.title} · Crowdtape`,
      description: "Plans, prices and keys of the Crowdtape API.",
      url: current === "/pricing" ? "/pricing" : null,
      body: (
        <>
          <a class="skip" href="#main">
            Skip to content
          </a>
          {frame.test}
          <Masthead current={current} explorer={explorer} isSimulated={isSimulated()} />
          <main id="main" class={frame.narrow ? "narrow" : undefined}>
            {frame.body}
          </main>
          <Foot />
        </>
      ),
      scripts: ["pricing.js"],
      styles: ["pricing.css"],
      // Makes browsers send a form's origin, which is checked.
      referrer: "same-origin",
      ...(frame.refreshSeconds === undefined ? {} : { refreshSeconds: frame.refreshSeconds }),
    },
    assets,
  );
}

export function ErrorNote({ error }: { error: string | null }) {
  return error === null ? null : (
    <p class="error" role="alert">
      {error}
    </p>
  );
}

export function TestBanner({ children }: { children: ComponentChildren }) {
  return (
    <div class="test" role="status">
      <strong>TEST CHECKOUT</strong>
      {children}
    </div>
  );
}

export function EmailField({
  id,
  label,
  form,
  value,
}: {
  id: string;
  label: string;
  form?: string;
  value?: string;
}) {
  return (
    <>
      <label for={id}>{label}</label>
      <input
        form={form}
        id={id}
        name="email"
        type="email"
        required
        autocomplete="email"
        maxLength={254}
        value={value}
        placeholder="you@example.com"
      />
    </>
  );
}
