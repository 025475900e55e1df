/** @jsxImportSource preact */
// The first minute: what this is in one line, the tape running beside the leaderboard, and the three boards.
import { useState } from "preact/hooks";
import { Card, ChainTag, Change, Gain, Tabs, TokenLink, TraderLink } from "../shared/bits.tsx";
import { count, price, share, usd } from "../shared/format.ts";
import { useAnswer } from "../shared/query.tsx";
import { PnlBar } from "../shared/sparkline.tsx";
import { Loaded, Skeleton, Stale } from "../shared/states.tsx";
import {
  BOARDS,
  type BoardAnswer,
  type BoardName,
  type LeaderboardAnswer,
  pathOf,
  WINDOWS,
  type Window,
} from "./answers.ts";
import { FeedChip, TapeRow } from "./tape-rows.tsx";
import { alertsPath, useTape } from "./use-tape.ts";

const HOME_TAPE_ROWS = 15;
const HOME_LEADERS = 15;
const HOME_TOKENS = 8;

export const homeAlertsPath = () => alertsPath({}, HOME_TAPE_ROWS);
export const leadersPath = (window: Window) => `/v2/leaderboard/${window}?limit=${HOME_LEADERS}`;
export const boardPath = (board: BoardName, limit = HOME_TOKENS) =>
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
  const rows = Array.from({ length: Math.min(HOME_TAPE_ROWS, tape.store.length) }, (_, index) =>
    tape.store.at(index),
  );
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
      {rows.length === 0 ? (
        <Skeleton rows={12} />
      ) : (
        <div class="tape-static">
          {rows.map((entry) => (entry ? <TapeRow key={entry.seq} entry={entry} /> : null))}
        </div>
      )}
    </Card>
  );
}

function Leaders() {
  const [window, setWindow] = useState<Window>("7d");
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
        empty="Nobody traded in this window."
      >
        {(body) => {
          const largest = Math.max(...body.traders.map(({ pnlUsd }) => Math.abs(pnlUsd)));
          return (
            <>
              {body.stale ? <Stale at={body.asOf} /> : null}
              <div class="scroll">
                <table class="list">
                  <thead>
                    <tr>
                      <th scope="col" class="rank">
                        #
                      </th>
                      <th scope="col">Trader</th>
                      <th scope="col" class="right">
                        PnL
                      </th>
                      <th scope="col" class="bar">
                        <span class="off-screen">PnL as a bar</span>
                      </th>
                      <th scope="col" class="right wide">
                        Wins
                      </th>
                      <th scope="col" class="right wide">
                        Volume
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {body.traders.map((row) => (
                      <tr key={row.userId} data-row>
                        <td class="rank num">{row.rank}</td>
                        <td>
                          <TraderLink
                            handle={row.handle}
                            name={row.displayName}
                            avatar={row.avatar}
                            verified={row.verified}
                          />
                        </td>
                        <td class="right">
                          <Gain usd={row.pnlUsd} />
                        </td>
                        <td class="bar">
                          <PnlBar
                            value={row.pnlUsd}
                            largest={largest}
                            both={body.traders.some((each) => each.pnlUsd < 0)}
                          />
                        </td>
                        <td class="right num wide">{share(row.winRate)}</td>
                        <td class="right num wide">{usd(row.volumeUsd)}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}

function BoardCard({ name, title }: { name: BoardName; title: string }) {
  const answer = useAnswer<BoardAnswer>(boardPath(name), { everyMs: 120_000 });
  return (
    <Card
      title={<a href={`/boards/${name}`}>{title}</a>}
      aside={answer.body?.stale ? <Stale at={answer.body.capturedAt} /> : undefined}
    >
      <Loaded answer={answer} rows={8} isEmpty={(body) => body.tokens.length === 0}>
        {(body) => (
          <div class="scroll">
            <table class="list">
              <thead>
                <tr>
                  <th scope="col">Token</th>
                  <th scope="col" class="right">
                    Price
                  </th>
                  <th scope="col" class="right">
                    24 h
                  </th>
                  <th scope="col" class="right">
                    {name === "most-held" ? "Volume" : "Holders"}
                  </th>
                </tr>
              </thead>
              <tbody>
                {body.tokens.map((row) => (
                  <tr key={`${row.network}${row.token.address}`} data-row>
                    <td>
                      <span class="pair">
                        <TokenLink
                          symbol={row.token.symbol}
                          address={row.token.address}
                          networkId={row.network}
                          image={row.image}
                        />
                        <ChainTag chain={row.chain} />
                      </span>
                    </td>
                    <td class="right num">{price(row.priceUsd)}</td>
                    <td class="right">
                      <Change points={row.change24h} />
                    </td>
                    <td class="right num">
                      {name === "most-held" ? usd(row.volume24hUsd) : count(row.holders)}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Loaded>
    </Card>
  );
}
