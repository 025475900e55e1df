/** @jsxImportSource preact */
// The small parts that all pages share: signed money with an arrow, people, tokens, chains, ages, addresses.

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { HOUR_MS, MINUTE_MS } from "../../kit/units.ts";
import { now } from "./clock.ts";
import { copyText } from "./copy.ts";
import { day, percent, shortAddress, signedUsd, span, timeOfDay } from "./format.ts";
import { Picture } from "./identicon.tsx";
import { usePage } from "./query.tsx";
import { WatchMark } from "./watch-button.tsx";

const toneOf = (value: number | null | undefined, least: number) =>
  value === null || value === undefined || Math.abs(value) < least ? "even" : value > 0 ? "gain" : "loss";

/** A gain or loss: coloured, signed, and with an arrow. */
export function Gain({ usd, quiet = false }: { usd: number | null | undefined; quiet?: boolean }) {
  const tone = toneOf(usd, 0.005);
  return (
    <span class={`num ${tone}`}>
      {quiet ? null : <Arrow tone={tone} />}
      {signedUsd(usd)}
    </span>
  );
}

export function Change({ points }: { points: number | null | undefined }) {
  const tone = toneOf(points, 0.05);
  return (
    <span class={`num ${tone}`}>
      <Arrow tone={tone} />
      {percent(points)}
    </span>
  );
}

function Arrow({ tone }: { tone: string }) {
  if (tone === "even") return null;
  return (
    <svg class="arrow" width="8" height="8" viewBox="0 0 8 8" aria-hidden="true">
      <path d={tone === "gain" ? "M4 1 7.5 7h-7z" : "M4 7 .5 1h7z"} />
    </svg>
  );
}

export function TraderLink(props: {
  handle: string;
  /** Provides a picture when the answer contains none. */
  userId?: string | null;
  name?: string | null;
  avatar?: string | null;
  verified?: boolean;
  size?: number;
  isPassing?: boolean;
}) {
  const { pictures } = usePage();
  const drawn = pictures && props.userId ? `/images/avatar/${props.userId}.svg` : null;
  return (
    <a class="who" href={`/traders/${encodeURIComponent(props.handle)}`}>
      <Picture
        src={props.avatar ?? drawn}
        name={props.handle}
        size={props.size ?? 20}
        isPassing={props.isPassing === true}
      />
      <span class="who-name">
        {props.name ? <b dir="auto">{props.name}</b> : null}
        <span class={props.name ? "soft" : ""} dir="auto">
          {props.name ? `@${props.handle}` : props.handle}
        </span>
      </span>
      {props.verified ? <Verified /> : null}
      <WatchMark item={{ handle: props.handle }} />
    </a>
  );
}

export function Verified() {
  return (
    <svg class="verified" width="14" height="14" viewBox="0 0 16 16" role="img" aria-label="Verified">
      <path d="m8 .8 2 1.6 2.5-.1.8 2.4 2.1 1.4-.9 2.4.9 2.4-2.1 1.4-.8 2.4-2.5-.1-2 1.6-2-1.6-2.5.1-.8-2.4L.6 10.9l.9-2.4-.9-2.4 2.1-1.4.8-2.4 2.5.1z" />
      <path class="tick" d="m5 8.3 2 2 4-4.2" />
    </svg>
  );
}

export function TokenLink(props: {
  symbol: string;
  address: string;
  networkId?: number | null;
  name?: string;
  image?: string | null;
  size?: number;
  isPassing?: boolean;
}) {
  const { pictures, chains } = usePage();
  const on = props.networkId ? `?networkId=${props.networkId}` : "";
  const chain = pictures ? chains.find(({ id }) => id === props.networkId)?.name : undefined;
  const drawn = chain ? `/images/token/${chain}/${props.address}.svg` : null;
  return (
    <a class="who" href={`/tokens/${encodeURIComponent(props.address)}${on}`}>
      <Picture
        src={props.image ?? drawn}
        name={props.address}
        size={props.size ?? 20}
        isPassing={props.isPassing === true}
      />
      <span class="who-name">
        <b dir="auto">{props.symbol || shortAddress(props.address)}</b>
        {props.name ? (
          <span class="soft" dir="auto">
            {props.name}
          </span>
        ) : null}
      </span>
      {props.networkId ? (
        <WatchMark item={{ address: props.address, networkId: props.networkId, symbol: props.symbol }} />
      ) : null}
    </a>
  );
}

const CHAIN_CLASS: Record<string, string> = { solana: "violet", base: "blue", bsc: "amber", eth: "ink" };

export function ChainTag({ chain }: { chain: string | null }) {
  return chain === null ? null : <span class={`chain ${CHAIN_CLASS[chain] ?? "green"}`}>{chain}</span>;
}

/** A token and its chain, as lists show it. */
export function TokenCell(props: {
  token: { symbol: string; address: string; image?: string | null };
  networkId: number;
  chain: string | null;
  size?: number;
}) {
  const { symbol, address, image = null } = props.token;
  return (
    <span class="pair">
      <TokenLink
        symbol={symbol}
        address={address}
        networkId={props.networkId}
        image={image}
        size={props.size ?? 20}
      />
      <ChainTag chain={props.chain} />
    </span>
  );
}

export function SideTag({ side }: { side: string }) {
  return <span class={`side ${side}`}>{side}</span>;
}

/** Time elapsed, kept up to date while the page is open. The server's rendering and the browser's first one agree. */
export function Ago({ at, suffix = " ago" }: { at: number; suffix?: string }) {
  const page = usePage();
  const [moment, setMoment] = useState(page.renderedAt);
  useEffect(() => {
    setMoment(now());
    const timer = setInterval(() => setMoment(now()), now() - at < HOUR_MS ? 1_000 : 30_000);
    return () => clearInterval(timer);
  }, [at]);
  return (
    <time
      class="num soft"
      dateTime={new Date(at).toISOString()}
      title={`${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`}
    >
      {span(Math.max(0, moment - at))}
      {suffix}
    </time>
  );
}

/** The offset of the reader's clock from UTC at a moment. The server renders UTC, and so does the browser at first. */
export function useClockOffset(at: number): number {
  const [offsetMs, setOffset] = useState(0);
  useEffect(() => setOffset(-new Date(at).getTimezoneOffset() * MINUTE_MS || 0), [at]);
  return offsetMs;
}

const MOMENTS = {
  time: timeOfDay,
  day: (at: number) => day(at),
  minute: (at: number) => day(at, true),
};

/** A moment in the reader's time zone, with UTC on hover. */
export function Moment({ at, as = "minute" }: { at: number; as?: keyof typeof MOMENTS }) {
  const offsetMs = useClockOffset(at);
  const utc = new Date(at).toISOString();
  return (
    <time class="num" dateTime={utc} title={`${utc.slice(0, 19).replace("T", " ")} UTC`}>
      {MOMENTS[as](at + offsetMs)}
    </time>
  );
}

export function Copyable({ text, label, shown }: { text: string; label: string; shown?: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    setCopied(await copyText(text));
    setTimeout(() => setCopied(false), 1_500);
  };
  return (
    <button type="button" class="copyable" onClick={copy} title={text}>
      <code>{shown ?? shortAddress(text)}</code>
      <span class="soft" aria-live="polite">
        {copied ? "Copied" : "Copy"}
        <span class="off-screen"> {label}</span>
      </span>
    </button>
  );
}

export function Tabs<Value extends string>(props: {
  label: string;
  values: readonly (readonly [Value, string])[];
  current: Value;
  hrefOf?: (value: Value) => string;
  onChoose?: (value: Value) => void;
}) {
  return (
    <nav class="tabs" aria-label={props.label}>
      {props.values.map(([value, title]) =>
        props.onChoose ? (
          <button
            key={value}
            type="button"
            aria-pressed={value === props.current}
            onClick={() => props.onChoose?.(value)}
          >
            {title}
          </button>
        ) : (
          <a
            key={value}
            href={props.hrefOf?.(value) ?? "#"}
            aria-current={value === props.current ? "page" : undefined}
          >
            {title}
          </a>
        ),
      )}
    </nav>
  );
}

export function Card(props: {
  title: ComponentChildren;
  aside?: ComponentChildren;
  class?: string;
  id?: string;
  children: ComponentChildren;
}) {
  return (
    <section class={`card ${props.class ?? ""}`} id={props.id}>
      <header class="card-head">
        <h2>{props.title}</h2>
        {props.aside === undefined ? null : <div class="card-aside">{props.aside}</div>}
      </header>
      {props.children}
    </section>
  );
}

/** Labelled figures. Elements are rendered as they are, words and numbers as figures. */
export function Stats(props: { of: Readonly<Record<string, ComponentChildren>>; small?: boolean }) {
  return (
    <dl class={props.small ? "stats small" : "stats"}>
      {Object.entries(props.of).map(([name, value]) => (
        <div key={name} class="stat">
          <dt>{name}</dt>
          <dd>{typeof value === "object" ? value : <span class="num">{value}</span>}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A box that scrolls by itself, so it must be reachable by keyboard. */
export function Scroll(props: { label: string; class?: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a pointer.
    <section class={props.class ?? "scroll"} tabIndex={0} aria-label={props.label}>
      {props.children}
    </section>
  );
}

export function Code({ text, tall = false }: { text: string; tall?: boolean }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a pointer.
    <pre class={`code ${tall ? "tall" : ""}`} tabIndex={0}>
      {text}
    </pre>
  );
}
