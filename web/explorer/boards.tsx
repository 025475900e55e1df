/** @jsxImportSource preact */
// The platform's token boards, whole, in its own order or by any figure.
import { useState } from "preact/hooks";
import { ChainTag, Change, Scroll, Tabs, TokenLink } from "../shared/bits.tsx";
import { count, price, usd } from "../shared/format.ts";
import { useAnswer, usePage } from "../shared/query.tsx";
import { Loaded, Stale } from "../shared/states.tsx";
import { BOARDS, type BoardAnswer, type BoardName } from "./answers.ts";
import { boardPath } from "./home.tsx";

type Row = BoardAnswer["tokens"][number];
const FIGURES: Record<string, (row: Row) => number | null> = {
  Price: (row) => row.priceUsd,
  "24 h": (row) => row.change24h,
  "Market cap": (row) => row.marketCapUsd,
  Volume: (row) => row.volume24hUsd,
  Holders: (row) => row.holders,
};
const ALL_ROWS = 100;

export const wholeBoardPath = (name: BoardName) => boardPath(name, ALL_ROWS);

export function BoardsPage() {
  const page = usePage();
  const name = (page.params.name ?? "trending") as BoardName;
  const answer = useAnswer<BoardAnswer>(wholeBoardPath(name), { everyMs: 120_000 });
  const [sort, setSort] = useState<string | null>(null);
  return (
    <>
      <header class="page-head">
        <h1>Tokens</h1>
        <p class="soft">As the platform ranks them. A hidden token leaves a gap in the numbers.</p>
        <div class="page-tools">
          {answer.body?.stale ? <Stale at={answer.body.capturedAt} /> : null}
          <Tabs label="Board" values={BOARDS} current={name} hrefOf={(value) => `/boards/${value}`} />
        </div>
      </header>
      <section class="card">
        <Loaded
          answer={answer}
          rows={16}
          isEmpty={(body) => body.tokens.length === 0}
          empty="This board is empty."
        >
          {(body) => {
            const figure = sort === null ? null : FIGURES[sort];
            const rows = figure
              ? [...body.tokens].sort((a, b) => (figure(b) ?? -Infinity) - (figure(a) ?? -Infinity))
              : body.tokens;
            return (
              <Scroll label="Board">
                <table class="list">
                  <thead>
                    <tr>
                      <th scope="col" class="rank">
                        <button type="button" class="sorter" onClick={() => setSort(null)}>
                          #{sort === null ? " ↓" : ""}
                        </button>
                      </th>
                      <th scope="col">Token</th>
                      {Object.keys(FIGURES).map((title) => (
                        <th
                          key={title}
                          scope="col"
                          class="right"
                          aria-sort={sort === title ? "descending" : undefined}
                        >
                          <button type="button" class="sorter" onClick={() => setSort(title)}>
                            {title}
                            {sort === title ? " ↓" : ""}
                          </button>
                        </th>
                      ))}
                      <th scope="col">Chain</th>
                    </tr>
                  </thead>
                  <tbody>
                    {rows.map((row) => (
                      <tr key={`${row.network}${row.token.address}`} data-row>
                        <td class="rank num">{row.rank}</td>
                        <td>
                          <TokenLink
                            symbol={row.token.symbol}
                            address={row.token.address}
                            name={row.token.name}
                            networkId={row.network}
                            image={row.image}
                            size={24}
                          />
                        </td>
                        <td class="right num">{price(row.priceUsd)}</td>
                        <td class="right">
                          <Change points={row.change24h} />
                        </td>
                        <td class="right num">{usd(row.marketCapUsd)}</td>
                        <td class="right num">{usd(row.volume24hUsd)}</td>
                        <td class="right num">{count(row.holders)}</td>
                        <td>
                          <ChainTag chain={row.chain} />
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </Scroll>
            );
          }}
        </Loaded>
      </section>
    </>
  );
}
