/** @jsxImportSource preact */
// Search from anywhere: opens over the page, searches as the visitor types, and is navigated with the arrow keys.

import { useEffect, useRef, useState } from "preact/hooks";
import type { SearchAnswer } from "../../client/src/generated.ts";
import { ChainTag, SideTag } from "../shared/bits.tsx";
import { counted, usd } from "../shared/format.ts";
import { Picture } from "../shared/identicon.tsx";
import { useAnswer } from "../shared/query.tsx";
import { pathOf } from "./answers.ts";
import { readPasted } from "./pasted.ts";
import { TrackOffer } from "./track-offer.tsx";

type Result = SearchAnswer["results"][number];

export const hrefOf = (row: Result) => {
  if (row.type === "trader") return `/traders/${encodeURIComponent(row.handle)}`;
  if (row.type === "trade") return `/trades/${row.tradeId}#${row.txHash}`;
  return `/tokens/${encodeURIComponent(row.address)}?networkId=${row.networkId}`;
};

/** As long as the longest pasted links, and shorter than a page's address may be. */
export const PASTED_LENGTH_MAX = 200;
export const SEARCH_WORDS = {
  label: "Search traders, tokens and transactions",
  placeholder: "A name, a ticker, a wallet, a transaction or a link",
} as const;

/** An input that opens a list is a combobox; the types allow that only with a datalist. */
const comboboxOf = (isOpen: boolean): object => ({ role: "combobox", "aria-expanded": isOpen });

/** Long enough to finish a word, short enough to feel instant. */
const TYPING_MS = 120;

export function useTyped(initial: string): [string, string, (text: string) => void] {
  const [text, setText] = useState(initial);
  const [asked, setAsked] = useState(initial.trim());
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, asked, setText];
}

export function SearchDialog({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, asked, setText] = useTyped("");
  const [chosen, setChosen] = useState(0);
  const pasted = readPasted(asked);
  const answer = useAnswer<SearchAnswer>(asked === "" ? null : pathOf("/v2/search", { q: pasted.q }));
  // While the next answer is loading the previous one stays: Enter opens a visible result, never an empty list in between.
  const shown = useRef<readonly Result[]>([]);
  if (answer.body) shown.current = answer.body.results;
  const results = asked === "" ? [] : shown.current;
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  useEffect(() => setChosen(0), [asked]);
  const press = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setChosen((before) => (before + step + results.length) % Math.max(1, results.length));
    } else if (event.key === "Enter") {
      event.preventDefault();
      const row = results[chosen];
      if (row) location.href = hrefOf(row);
      else if (text.trim()) location.href = `/search?q=${encodeURIComponent(text.trim())}`;
    }
  };
  return (
    <dialog class="search" ref={dialog} onClose={onClose} aria-label="Search">
      <input
        type="text"
        placeholder={SEARCH_WORDS.placeholder}
        aria-label={SEARCH_WORDS.label}
        {...comboboxOf(results.length > 0)}
        aria-controls="search-results"
        aria-activedescendant={results.length > 0 ? `result-${chosen}` : undefined}
        autocomplete="off"
        spellcheck={false}
        maxLength={PASTED_LENGTH_MAX}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={press}
      />
      <div id="search-results" role="listbox" aria-label="Results">
        {results.map((row, index) => (
          <a
            key={hrefOf(row)}
            id={`result-${index}`}
            role="option"
            aria-selected={index === chosen}
            href={hrefOf(row)}
            tabIndex={-1}
          >
            <ResultRow row={row} />
          </a>
        ))}
      </div>
      <p class="hint">
        {answer.failure ? (
          answer.failure.message
        ) : asked !== "" && answer.body && results.length === 0 ? (
          <TrackOffer key={pasted.q} pasted={pasted} />
        ) : (
          "↑ ↓ to choose, Enter to open, Esc to close"
        )}
      </p>
    </dialog>
  );
}

export function ResultRow({ row }: { row: Result }) {
  if (row.type === "trader")
    return (
      <span class="result">
        <Picture src={row.avatar} name={row.handle} size={24} />
        <span class="who-name">
          <b dir="auto">{row.displayName}</b>
          <span class="soft" dir="auto">
            @{row.handle}
          </span>
        </span>
        {row.followers === null ? null : <span class="soft num">{counted(row.followers, "follower")}</span>}
      </span>
    );
  if (row.type === "trade")
    return (
      <span class="result">
        <Picture src={null} name={row.handle ?? row.userId} size={24} />
        <span class="who-name">
          <b dir="auto">{row.handle ?? "Someone"}</b>
          <span class="soft">
            <SideTag side={row.side} /> {row.symbol}
          </span>
        </span>
        <ChainTag chain={row.chain} />
        <span class="soft num">{usd(row.usd)}</span>
      </span>
    );
  return (
    <span class="result">
      <Picture src={row.image} name={row.address} size={24} />
      <span class="who-name">
        <b dir="auto">{row.symbol}</b>
        <span class="soft" dir="auto">
          {row.name}
        </span>
      </span>
      <ChainTag chain={row.chain} />
      <span class="soft num">{usd(row.marketCapUsd)}</span>
    </span>
  );
}
