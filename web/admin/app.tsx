/** @jsxImportSource preact */
// The operator's pages: the service's health, its accounts, keys and webhooks, and spam tokens.
import { useEffect, useState } from "preact/hooks";
import type { PageData } from "../shared/data.ts";
import { KeyForm } from "../shared/key-form.tsx";
import { Foot, Masthead } from "../shared/masthead.tsx";
import { Page } from "../shared/query.tsx";
import { AccountsSection } from "./accounts.tsx";
import { ADMIN_PATH } from "./answers.ts";
import { ChainsSection } from "./chains.tsx";
import { KeysSection } from "./keys.tsx";
import { forget, overview, restore, said, signIn } from "./state.ts";
import { TokensSection } from "./tokens.tsx";
import { WebhooksSection } from "./webhooks.tsx";

const SECTIONS = [
  ["chains", "Chains", ChainsSection],
  ["accounts", "Accounts", AccountsSection],
  ["keys", "Keys", KeysSection],
  ["webhooks", "Webhooks", WebhooksSection],
  ["tokens", "Spam", TokensSection],
] as const;

const sectionOf = (hash: string) => SECTIONS.find(([name]) => `#${name}` === hash) ?? SECTIONS[0];

export function AdminApp({ data }: { data: PageData }) {
  const [[section, , Section], setSection] = useState<(typeof SECTIONS)[number]>(SECTIONS[0]);
  useEffect(() => {
    const look = () => {
      said.value = null;
      setSection(sectionOf(location.hash));
    };
    look();
    addEventListener("hashchange", look);
    void restore();
    return () => removeEventListener("hashchange", look);
  }, []);
  return (
    <Page.Provider value={data}>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Masthead current={ADMIN_PATH} explorer={false} isSimulated={data.isSimulated} />
      <main id="main" class="site console">
        <header class="page-head">
          <h1>Operator</h1>
          {overview.value ? (
            <div class="page-tools">
              <span class="chip">signed in as {overview.value.operator}</span>
              <button type="button" class="plain small" onClick={forget}>
                Sign out
              </button>
            </div>
          ) : null}
        </header>
        {overview.value === null ? (
          <SignIn />
        ) : (
          <>
            <nav class="tabs sections" aria-label="Sections">
              {SECTIONS.map(([name, title]) => (
                <a key={name} href={`#${name}`} aria-current={name === section ? "page" : undefined}>
                  {title}
                </a>
              ))}
            </nav>
            <Said />
            <Section />
          </>
        )}
      </main>
      <Foot />
    </Page.Provider>
  );
}

function Said() {
  return said.value ? (
    <p class="notice bad" role="alert">
      {said.value}
    </p>
  ) : null;
}

function SignIn() {
  return (
    <section class="card narrow lost">
      <h2>Enter the operator's key</h2>
      <p class="soft">
        The value of ADMIN_KEY. It stays in this tab: it is sent to this service only, and forgotten when the
        tab is closed.
      </p>
      <KeyForm label="Operator's key" lengthMax={200} onKey={(key) => void signIn(key)} />
      <Said />
    </section>
  );
}
