/** @jsxImportSource preact */
// The tape: every buy, sell, thesis and push live, filtered by the stream's own filters, which are the page's address.
import { useEffect, useState } from "preact/hooks";
import { keyOfTab } from "../shared/api.ts";
import { Copyable } from "../shared/bits.tsx";
import { usePage } from "../shared/query.tsx";
import { KeyGate } from "../shared/states.tsx";
import { TapeEmpty } from "./tape-empty.tsx";
import { TapeList } from "./tape-list.tsx";
import { FeedChip, TapeNews } from "./tape-rows.tsx";
import { useUrlState } from "./url-state.ts";
import { useTape } from "./use-tape.ts";

const TAPE_FILTERS = ["trader", "token", "chain", "type", "source", "minUsd"] as const;
const TYPES = ["buy", "sell", "thesis", "perp", "transfer", "listing", "push"];

export function filterOf(query: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    TAPE_FILTERS.flatMap((name) => (query[name]?.trim() ? [[name, query[name].trim()]] : [])),
  );
}

interface FilterFieldProps {
  name: string;
  label: string;
  placeholder: string;
  value: string;
  onEntered(value: string): void;
}

/** Text being typed is kept here: the page is redrawn with each event, and would restore the last submitted value. */
function FilterField({ name, label, placeholder, value, onEntered }: FilterFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <label>
      <span>{label}</span>
      <input
        name={name}
        value={typed ?? value}
        placeholder={placeholder}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onChange={(event) => {
          setTyped(null);
          onEntered(event.currentTarget.value.trim());
        }}
      />
    </label>
  );
}

export function TapePage() {
  const page = usePage();
  const [values, change] = useUrlState({});
  const filter = filterOf(values);
  const tape = useTape(filter);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== "p" || (event.target as Element).matches?.("input, select, textarea")) return;
      tape.setPaused(!tape.paused);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
  const field = (name: string, label: string, placeholder: string) => (
    <FilterField
      name={name}
      label={label}
      placeholder={placeholder}
      value={values[name] ?? ""}
      onEntered={(value) => change({ [name]: value })}
    />
  );
  const select = (name: string, label: string, options: readonly string[]) => (
    <label>
      <span>{label}</span>
      <select
        name={name}
        value={values[name] ?? ""}
        onChange={(event) => change({ [name]: event.currentTarget.value })}
      >
        <option value="">all</option>
        {options.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    </label>
  );
  const newest = tape.store.at(0)?.event?.ts ?? null;
  const isLocked = page.mode === "key" && typeof sessionStorage !== "undefined" && keyOfTab() === null;
  return (
    <div class="tape-page">
      <header class="page-head">
        <h1>Tape</h1>
        <p class="soft">Every trade and thesis as the platform shows it.</p>
        <div class="page-tools">
          <FeedChip status={tape.status} quietSince={tape.waiting > 0 ? null : newest} />
          <button
            type="button"
            class="plain small"
            aria-pressed={tape.paused}
            onClick={() => tape.setPaused(!tape.paused)}
          >
            {tape.paused ? `Resume${tape.waiting > 0 ? `, ${tape.waiting} new` : ""}` : "Pause"}{" "}
            <span class="kbd" aria-hidden="true">
              p
            </span>
          </button>
        </div>
      </header>
      <form class="filters" method="get" action="/tape" onSubmit={(event) => event.preventDefault()}>
        {select("type", "Kind", TYPES)}
        {select(
          "chain",
          "Chain",
          page.chains.map(({ name }) => name),
        )}
        {field("trader", "Trader", "handle")}
        {field("token", "Token", "ticker or address")}
        {field("minUsd", "At least $", "500")}
        {select("source", "Source", ["feed", "push"])}
        {Object.keys(filter).length > 0 ? (
          <button
            type="button"
            class="plain small"
            onClick={() => change(Object.fromEntries(TAPE_FILTERS.map((name) => [name, ""])))}
          >
            Clear
          </button>
        ) : null}
        <span class="grow" />
        <Copyable
          text={streamUrl(filter)}
          shown="Stream URL"
          label="the stream's address with these filters"
        />
      </form>
      <TapeNews store={tape.store} />
      <section class="card tape-card">
        {isLocked ? (
          <KeyGate />
        ) : tape.store.length === 0 ? (
          <TapeEmpty tape={tape} rows={14}>
            Nothing matched yet. The next match shows up here.
          </TapeEmpty>
        ) : (
          <TapeList tape={tape} />
        )}
      </section>
    </div>
  );
}

function streamUrl(filter: Record<string, string>): string {
  const search = new URLSearchParams(filter);
  const origin = typeof location === "undefined" ? "" : location.origin.replace(/^http/, "ws");
  return `${origin}/ws/alerts${search.size > 0 ? `?${search}` : ""}`;
}
