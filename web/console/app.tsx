/** @jsxImportSource preact */
// The console: with a key that stays in this tab, it shows its plan and credits, keys, payments, webhooks, the live streams,
// and every call to try.
import { useEffect, useState } from "preact/hooks";
import { SearchDialog } from "../explorer/search-dialog.tsx";
import type { PageData } from "../shared/data.ts";
import { KeyForm } from "../shared/key-form.tsx";
import { Foot, Masthead, useShortcut } from "../shared/masthead.tsx";
import { Page } from "../shared/query.tsx";
import { Inspector } from "./inspector.tsx";
import { KeysSection } from "./keys.tsx";
import { Overview } from "./overview.tsx";
import { PaymentsSection } from "./payments.tsx";
import { Playground } from "./playground.tsx";
import { error, key, me, restore, signIn, signOut } from "./state.ts";
import { WebhooksSection } from "./webhooks.tsx";

const SECTIONS = [
  ["overview", "Overview"],
  ["keys", "Keys"],
  ["payments", "Payments"],
  ["webhooks", "Webhooks"],
  ["streams", "Streams"],
  ["playground", "Playground"],
] as const;
type Section = (typeof SECTIONS)[number][0];

const sectionOf = (hash: string): Section =>
  SECTIONS.find(([name]) => `#${name}` === hash)?.[0] ?? "overview";

export function ConsoleApp({ data }: { data: PageData }) {
  const [isSearching, setSearching] = useState(false);
  const [section, setSection] = useState<Section>("overview");
  const [isReady, setReady] = useState(false);
  useShortcut(() => setSearching(true));
  useEffect(() => {
    const look = () => setSection(sectionOf(location.hash));
    look();
    addEventListener("hashchange", look);
    void restore().then(() => setReady(true));
    return () => removeEventListener("hashchange", look);
  }, []);
  return (
    <Page.Provider value={data}>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Masthead
        current="/console"
        explorer
        isSimulated={data.isSimulated}
        onSearch={() => setSearching(true)}
      />
      {isSearching ? <SearchDialog onClose={() => setSearching(false)} /> : null}
      <main id="main" class="site console">
        <header class="page-head">
          <h1>Console</h1>
          {me.value ? (
            <div class="page-tools">
              <span class="chip">
                {me.value.key.name ?? "key"} <code>{me.value.key.hint}</code>
              </span>
              <button type="button" class="plain small" onClick={signOut}>
                Forget the key
              </button>
            </div>
          ) : null}
        </header>
        {me.value === null ? (
          <SignIn isReady={isReady} />
        ) : (
          <>
            <nav class="tabs sections" aria-label="Sections">
              {SECTIONS.map(([name, title]) => (
                <a key={name} href={`#${name}`} aria-current={name === section ? "page" : undefined}>
                  {title}
                </a>
              ))}
            </nav>
            {section === "overview" ? <Overview /> : null}
            {section === "keys" ? <KeysSection /> : null}
            {section === "payments" ? <PaymentsSection /> : null}
            {section === "webhooks" ? <WebhooksSection /> : null}
            {section === "streams" ? <Inspector /> : null}
            {section === "playground" ? <Playground /> : null}
          </>
        )}
      </main>
      <Foot />
    </Page.Provider>
  );
}

function SignIn({ isReady }: { isReady: boolean }) {
  return (
    <section class="card narrow lost">
      <h2>Enter a key</h2>
      <p class="soft">
        It stays in this tab: it is sent to this service only, and forgotten when the tab is closed.
      </p>
      <KeyForm
        label="Your key"
        placeholder="ct_live_…"
        lengthMax={60}
        isDone={isReady && key.value !== null}
        onKey={(given) => void signIn(given)}
      >
        <a class="button plain" href="/pricing#free">
          Get a free key
        </a>
      </KeyForm>
      {error.value ? (
        <p class="notice bad" role="alert">
          {error.value}
        </p>
      ) : null}
    </section>
  );
}
