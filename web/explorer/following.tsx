/** @jsxImportSource preact */
// The watchlist of this browser, and a live feed of everything on it; a file carries the list elsewhere.
import { useState } from "preact/hooks";
import type { SearchAnswer } from "../../client/src/generated.ts";
import { Card, Tabs, TokenLink, TraderLink } from "../shared/bits.tsx";
import { useAnswer, usePage } from "../shared/query.tsx";
import { Empty, Skeleton } from "../shared/states.tsx";
import { useSeen } from "../shared/use-seen.ts";
import { WatchButton } from "../shared/watch-button.tsx";
import { keepWatchlist, merged, readWatchlist, useWatchlist, type Watchlist } from "../shared/watchlist.ts";
import { pathOf } from "./answers.ts";
import { ChatCard } from "./chat-card.tsx";
import { NotifyCard } from "./notify-card.tsx";
import { TapeEmpty } from "./tape-empty.tsx";
import { FeedChip, TapeNews, TapeTable } from "./tape-rows.tsx";
import { useTape } from "./use-tape.ts";

const FEED_ROWS = 60;
const FILE_BYTES_MAX = 100_000;

export function FollowingPage() {
  const list = useWatchlist();
  return (
    <>
      <header class="page-head">
        <h1>Following</h1>
        <p class="soft">Kept in this browser. No account.</p>
        <div class="page-tools">{list ? <Carry list={list} /> : null}</div>
      </header>
      {list === null ? <Skeleton rows={12} /> : <Followed list={list} />}
    </>
  );
}

function Followed({ list }: { list: Watchlist }) {
  const { traders, tokens } = list;
  if (traders.length + tokens.length === 0)
    return (
      <section class="card">
        <Empty>
          You follow no one yet. Press ☆ Follow on the page of a <a href="/leaderboard/7d">trader</a> or a{" "}
          <a href="/boards/trending">token</a>; what they do shows up here.
        </Empty>
      </section>
    );
  return (
    <div class="columns">
      <div class="main-column">
        <FollowingFeed list={list} />
      </div>
      <div class="side-column">
        <NotifyCard list={list} />
        <ChatCard list={list} />
        <Card title="Traders">
          {traders.length === 0 ? <Empty>None.</Empty> : null}
          <ul class="watched">
            {traders.map((handle) => (
              <FollowedTrader key={handle} handle={handle} />
            ))}
          </ul>
        </Card>
        <Card title="Tokens">
          {tokens.length === 0 ? <Empty>None.</Empty> : null}
          <ul class="watched">
            {tokens.map((token) => (
              <li key={`${token.networkId}${token.address}`} data-row>
                <TokenLink {...token} />
                <WatchButton item={token} name={token.symbol} />
              </li>
            ))}
          </ul>
        </Card>
      </div>
    </div>
  );
}

/** With the same picture and name as on every other page; only the handle is stored here. */
function FollowedTrader({ handle }: { handle: string }) {
  const { mode } = usePage();
  const [box, isSeen] = useSeen<HTMLLIElement>();
  // Only where browsing is free: a picture is not worth a key's credits.
  const isAsked = isSeen && mode === "open";
  const found = useAnswer<SearchAnswer>(
    isAsked ? pathOf("/v2/search", { q: `@${handle}`, type: "traders", limit: 5 }) : null,
  ).body?.results.find((row) => row.type === "trader" && row.handle.toLowerCase() === handle.toLowerCase());
  const known = found?.type === "trader" ? found : null;
  return (
    <li ref={box} data-row>
      <TraderLink
        handle={handle}
        name={known?.displayName ?? null}
        avatar={known?.avatar ?? null}
        userId={known?.userId ?? null}
        verified={known?.verified ?? false}
      />
      <WatchButton item={{ handle }} name={handle} />
    </li>
  );
}

const FEEDS = [
  ["traders", "Traders"],
  ["tokens", "Tokens"],
] as const;

/** One of the two at a time: a visitor's sockets are limited, and other tabs want one too. */
function FollowingFeed({ list: { traders, tokens } }: { list: Watchlist }) {
  const [chosen, setChosen] = useState<(typeof FEEDS)[number][0]>("traders");
  const shown = traders.length === 0 ? "tokens" : tokens.length === 0 ? "traders" : chosen;
  const tape = useTape(
    shown === "traders"
      ? { trader: traders.join(",") }
      : { token: tokens.map(({ address }) => address).join(",") },
    { max: 400 },
  );
  return (
    <Card
      title={shown === "traders" ? "Traders you follow" : "Tokens you follow"}
      aside={
        <>
          <FeedChip status={tape.status} quietSince={tape.store.at(0)?.event?.ts ?? null} />
          {traders.length > 0 && tokens.length > 0 ? (
            <Tabs label="Whose" values={FEEDS} current={shown} onChoose={setChosen} />
          ) : null}
        </>
      }
    >
      <TapeNews store={tape.store} />
      {tape.store.length === 0 ? (
        <TapeEmpty tape={tape} rows={6}>
          Nothing happened yet. What comes shows up here.
        </TapeEmpty>
      ) : (
        <TapeTable store={tape.store} rows={FEED_ROWS} label="What they did, newest first" class="tall" />
      )}
    </Card>
  );
}

/** Exports to a file and imports from one; existing entries stay. */
function Carry({ list }: { list: Watchlist }) {
  const [words, setWords] = useState("");
  const save = () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([JSON.stringify(list, null, 2)], { type: "application/json" }));
    link.download = "crowdtape-following.json";
    link.click();
    URL.revokeObjectURL(link.href);
  };
  const load = async (file: File | undefined) => {
    if (!file) return;
    const read = file.size > FILE_BYTES_MAX ? null : readWatchlist(await file.text());
    if (read === null) return setWords("That file is not a list of ours.");
    keepWatchlist(merged(list, read));
    setWords(`${read.traders.length + read.tokens.length} read.`);
  };
  return (
    <>
      <span class="soft" role="status">
        {words}
      </span>
      <button type="button" class="plain small" onClick={save}>
        Export
      </button>
      <label class="button plain small file">
        Import
        <input
          class="off-screen"
          type="file"
          accept="application/json,.json"
          onChange={(event) => void load(event.currentTarget.files?.[0])}
        />
      </label>
    </>
  );
}
