/** @jsxImportSource preact */
// The first minute: one line on what this is, the live tape next to the leaderboard, and the three boards.
import { useState } from "preact/hooks";
import type { BoardAnswer, LeaderboardAnswer } from "../../client/src/generated.ts";
import { Card, Change, Tabs, TokenCell } from "../shared/bits.tsx";
import { count, price, share, usd } from "../shared/format.ts";
import { useAnswer } from "../shared/query.tsx";
import { Loaded, Stale } from "../shared/states.tsx";
import { Table } from "../shared/table.tsx";
import { BOARDS, type BoardId, pathOf, WINDOWS, type WindowName } from "./answers.ts";
import { leaderColumns } from "./leader-columns.tsx";
import { TapeEmpty } from "./tape-empty.tsx";
import { FeedChip, TapeTable } from "./tape-rows.tsx";
import { alertsPath, useTape } from "./use-tape.ts";

const HOME_TAPE_ROWS = 15;
const HOME_LEADERS = 15;
const HOME_TOKENS = 8;

export const homeAlertsPath = () => alertsPath({}, HOME_TAPE_ROWS);
export const leadersPath = (window: WindowName) => `/v2/leaderboard/${window}?limit=${HOME_LEADERS}`;
export const boardPath = (board: BoardId, limit = HOME_TOKENS) =>
  pathOf(`/v2/leaderboard/tokens/${board}`, { limit });

export function HomePage() {
  return (
    <>
      <section class="hero">
        <h1>Who trades what, why, and how it went.</h1>
        <p>
          Every trade, thesis and wallet of a social trading platform, live and as an API. Look around, then
          build on it.
        </p>
        <p class="actions">
          <a class="button" href="/pricing#free">
            Get a key
          </a>
          <a class="button plain" href="/docs">
            Read the API
          </a>
        </p>
      </section>
      <div class="home-grid">
        <LiveTape />
        <Leaders />
      </div>
      <div class="boards-grid">
        {BOARDS.map(([name, title]) => (
          <BoardCard key={name} name={name} title={title} />
        ))}
      </div>
    </>
  );
}

function LiveTape() {
  const tape = useTape({}, { max: 200, first: HOME_TAPE_ROWS });
  return (
    <Card
      title={<a href="/tape">Tape</a>}
      class="home-tape"
      aside={
        <>
          <FeedChip
            status={tape.status}
            quietSince={tape.waiting > 0 ? null : (tape.store.at(0)?.event?.ts ?? null)}
          />
          <button
            type="button"
            class="plain small"
            aria-pressed={tape.paused}
            onClick={() => tape.setPaused(!tape.paused)}
          >
            {tape.paused ? `Resume${tape.waiting > 0 ? `, ${tape.waiting} new` : ""}` : "Pause"}
          </button>
        </>
      }
    >
      {tape.store.length === 0 ? (
        <TapeEmpty tape={tape} rows={12}>
          Nothing has happened yet.
        </TapeEmpty>
      ) : (
        <TapeTable store={tape.store} rows={HOME_TAPE_ROWS} label="The newest events" />
      )}
    </Card>
  );
}

function Leaders() {
  const [window, setWindow] = useState<WindowName>("7d");
  const answer = useAnswer<LeaderboardAnswer>(leadersPath(window), { everyMs: 60_000 });
  return (
    <Card
      title={<a href={`/leaderboard/${window}`}>Leaderboard</a>}
      aside={<Tabs label="Window" values={WINDOWS} current={window} onChoose={setWindow} />}
    >
      <Loaded
        answer={answer}
        rows={10}
        isEmpty={(body) => body.traders.length === 0}
        empty="No trades in this window."
      >
        {(body) => (
          <>
            {body.stale ? <Stale at={body.asOf} /> : null}
            <Table
              label="Leaders"
              rows={body.traders}
              keyOf={(row) => row.userId}
              columns={[
                ...leaderColumns({ rows: body.traders, window, asOf: body.asOf }),
                { title: "Wins", class: "right num wide spare", cell: (row) => share(row.winRate) },
              ]}
            />
          </>
        )}
      </Loaded>
    </Card>
  );
}

function BoardCard({ name, title }: { name: BoardId; title: string }) {
  const answer = useAnswer<BoardAnswer>(boardPath(name), { everyMs: 120_000 });
  return (
    <Card
      title={<a href={`/boards/${name}`}>{title}</a>}
      aside={answer.body?.stale ? <Stale at={answer.body.capturedAt} /> : undefined}
    >
      <Loaded answer={answer} rows={8} isEmpty={(body) => body.tokens.length === 0}>
        {(body) => (
          <Table
            label={title}
            rows={body.tokens}
            keyOf={(row) => `${row.network}${row.token.address}`}
            columns={[
              {
                title: "Token",
                cell: (row) => (
                  <TokenCell
                    token={{ ...row.token, image: row.image }}
                    networkId={row.network}
                    chain={row.chain}
                  />
                ),
              },
              { title: "Price", class: "right num", cell: (row) => price(row.priceUsd) },
              { title: "24 h", class: "right", cell: (row) => <Change points={row.change24h} /> },
              name === "most-held"
                ? { title: "Volume", class: "right num spare", cell: (row) => usd(row.volume24hUsd) }
                : { title: "Holders", class: "right num spare", cell: (row) => count(row.holders) },
            ]}
          />
        )}
      </Loaded>
    </Card>
  );
}
