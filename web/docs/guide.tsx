/** @jsxImportSource preact */
// The general parts of the reference: getting started, the rules that apply everywhere, plans, and every error.
import type { ComponentChildren } from "preact";
import type { Chains } from "../../contract/chains.ts";
import { ERROR_CODES } from "../../contract/errors.ts";
import { PREPAID } from "../../contract/plans.ts";
import { WEBHOOK, WEBHOOK_PRICE } from "../../contract/webhooks.ts";
import { grouped } from "../shared/format.ts";
import { LimitsTable } from "../shared/limits-table.tsx";
import { Example } from "./text.tsx";

/** A heading that can be linked to. */
function Topic({ id, children }: { id: string; children: ComponentChildren }) {
  return (
    <h2 id={id}>
      <a href={`#${id}`}>{children}</a>
    </h2>
  );
}

export function StartSection({ baseUrl, chains }: { baseUrl: string; chains: Chains }) {
  return (
    <section class="op guide" id="start">
      <div class="say">
        <h1>Crowdtape API</h1>
        <p class="lead">
          Who trades what, why, and how it went: traders with their wallets, positions and written theses,
          ranked boards, and every trade as it happens. JSON over HTTP, and two sockets.
        </p>
        <Topic id="key-first">Get a key</Topic>
        <p class="first">
          <a class="button" href="/pricing#free">
            Get a free key
          </a>{" "}
          <span>Your e-mail address is all it takes; the key is shown at once.</span>
        </p>
        <Topic id="keys">Keys</Topic>
        <p>
          Send your key as <code>Authorization: Bearer ct_live_…</code>. The leaderboard, the alert feed and{" "}
          <code>/v1</code> also work without one: free, slower, and limited by address. Keep keys out of
          addresses: sockets take a single-use ticket instead.
        </p>
        <Topic id="credits">Credits</Topic>
        <p>
          Each call has a price, shown next to it. <code>x-credits-cost</code> says what a call cost and{" "}
          <code>x-credits-remaining</code> what is left. A call that fails on our side costs nothing, and
          neither does a <code>304</code>: send back the <code>ETag</code> as <code>If-None-Match</code>. A
          call that looked and found nothing costs the lower of 250 and its own price, or nothing where it
          says so. A balance that can't cover a call is refused with{" "}
          <a href="#error-credits_exhausted">
            <code>402</code>
          </a>{" "}
          before any work.
        </p>
        <Topic id="conventions">Rules that hold everywhere</Topic>
        <ul>
          <li>Every answer is a JSON object. Fields may be added; ignore those you do not know.</li>
          <li>
            Timestamps are ISO 8601 in UTC with milliseconds. <code>ts</code> in alerts and all times in
            frames are epoch milliseconds.
          </li>
          <li>
            Money and amounts are numbers. An unknown value is <code>null</code>, never 0.
          </li>
          <li>
            A chain is always <code>chainId</code> and <code>chain</code> together:{" "}
            {chains.list.map(({ name, id }, index) => (
              <>
                {index > 0 ? ", " : ""}
                <code>{name}</code> {id}
              </>
            ))}
            .
          </li>
          <li>
            Lists are walked by cursor: begin with <code>cursor=start</code>, pass back{" "}
            <code>nextCursor</code>, stop at <code>null</code>. Cursors survive restarts.
          </li>
          <li>
            Parameters that a call does not take, and values out of range, are refused with{" "}
            <a href="#error-invalid_parameter">
              <code>400</code>
            </a>
            ; nothing is silently clamped.
          </li>
          <li>
            Every <code>POST</code> takes an <code>Idempotency-Key</code>: repeated within 24 hours it gives
            the first answer again.
          </li>
        </ul>
        <Topic id="webhooks">Webhooks</Topic>
        <p>
          The alert feed can be <a href="#createWebhook">posted to your own endpoint</a>: the same filter, at
          least once and in order, {WEBHOOK_PRICE.credits} credits for each {WEBHOOK_PRICE.events} events.
          Requests are signed by the rules of <a href="https://www.standardwebhooks.com">Standard Webhooks</a>
          : check <code>webhook-signature</code> with the secret you were shown, and deduplicate by{" "}
          <code>webhook-id</code>. Answer with a 2xx within {WEBHOOK.timeoutSeconds} seconds; anything else is
          tried again for {WEBHOOK.retryDays} days, a 410 pauses, and redirects are not followed.
        </p>
        <Topic id="clients">Clients</Topic>
        <p>
          <code>@crowdtape/client</code> for JavaScript and TypeScript and <code>crowdtape</code> for Python
          have a typed method per operation, retries, budgets, walks over every cursor, and streams that
          resume by themselves. On the command line, <code>npx crowdtape</code> reads, tails and exports.
          Language models read through MCP: <code>npx crowdtape mcp</code>, or <code>{baseUrl}/mcp</code> with
          a key.
        </p>
      </div>
      <div class="show">
        <div class="stick">
          <Example title="No key needed" isCopied>{`curl "${baseUrl}/v2/leaderboard/7d?limit=3"`}</Example>
          <Example title="With a key" isCopied>
            {`export CROWDTAPE_KEY=ct_live_…
curl "${baseUrl}/v2/me" \\
  -H "Authorization: Bearer $CROWDTAPE_KEY"`}
          </Example>
          <div class="keybox">
            <label for="key">Your key, for trying calls on this page</label>
            <input id="key" type="password" placeholder="ct_live_…" autocomplete="off" spellcheck={false} />
            <p>Kept in this tab only.</p>
          </div>
          <p class="files">
            Machine-readable: <a href="/openapi.json">openapi.json</a> ·{" "}
            <a href="/asyncapi.json">asyncapi.json</a> · <a href="/llms.txt">llms.txt</a>
          </p>
        </div>
      </div>
    </section>
  );
}

export function PlansSection() {
  return (
    <section class="wide" id="plans">
      <h2>
        <a href="#plans">Plans and limits</a>
      </h2>
      <LimitsTable />
      <p>
        Prepaid credits: {grouped(PREPAID.creditsPerUsd)} for a dollar, from ${PREPAID.minimumUsd} to $
        {grouped(PREPAID.maximumUsd)}. They never expire and are used after the monthly ones.
      </p>
    </section>
  );
}

export function ErrorsSection() {
  return (
    <section class="wide" id="errors">
      <h2>
        <a href="#errors">Errors</a>
      </h2>
      <p>
        Every refusal has one shape: a stable <code>error</code> code, a <code>message</code> for people,
        whether trying again can help, and a <code>requestId</code> to ask us about. <code>param</code> and{" "}
        <code>allowed</code> say what was wrong with the input.
      </p>
      <dl class="errors">
        {Object.entries(ERROR_CODES).map(([code, { status, retryable, meaning }]) => (
          <div key={code} id={`error-${code}`}>
            <dt>
              <b>{status}</b>{" "}
              <a href={`#error-${code}`}>
                <code>{code}</code>
              </a>
              {retryable ? <span class="badge soft">try again</span> : null}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
