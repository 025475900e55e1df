/** @jsxImportSource preact */
// The platform's token boards, complete, in their own order or sorted by any figure.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { BoardAnswer, BoardRow } from "../../client/src/generated.ts";
import { ChainTag, Change, Tabs, TokenLink } from "../shared/bits.tsx";
import { count, price, usd } from "../shared/format.ts";
import { useAnswer, usePage } from "../shared/query.tsx";
import { Loaded, Stale } from "../shared/states.tsx";
import { Table } from "../shared/table.tsx";
import { BOARDS, type BoardId } from "./answers.ts";
import { boardPath } from "./home.tsx";

interface Figure {
  title: string;
  value(row: BoardRow): number | null;
  cell(row: BoardRow): ComponentChildren;
}

const FIGURES: readonly Figure[] = [
  { title: "Price", value: (row) => row.priceUsd, cell: (row) => price(row.priceUsd) },
  { title: "24 h", value: (row) => row.change24h, cell: (row) => <Change points={row.change24h} /> },
  { title: "Market cap", value: (row) => row.marketCapUsd, cell: (row) => usd(row.marketCapUsd) },
  { title: "Volume", value: (row) => row.volume24hUsd, cell: (row) => usd(row.volume24hUsd) },
  { title: "Holders", value: (row) => row.holders, cell: (row) => count(row.holders) },
];
const ALL_ROWS = 100;

export const wholeBoardPath = (name: BoardId) => boardPath(name, ALL_ROWS);

export function BoardsPage() {
  const page = usePage();
  const name = (page.params.name ?? "trending") as BoardId;
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
            const figure = FIGURES.find(({ title }) => title === sort);
            const figureOf = (row: BoardRow) => figure?.value(row) ?? -Infinity;
            const rows = figure ? [...body.tokens].sort((a, b) => figureOf(b) - figureOf(a)) : body.tokens;
            const sorted = (title: string) => ({
              isOn: sort === title,
              choose: () => setSort(title),
            });
            return (
              <Table
                label="Board"
                rows={rows}
                keyOf={(row) => `${row.network}${row.token.address}`}
                columns={[
                  {
                    title: "#",
                    class: "rank num",
                    sort: { isOn: sort === null, choose: () => setSort(null) },
                    cell: (row) => row.rank,
                  },
                  {
                    title: "Token",
                    cell: (row) => (
                      <TokenLink
                        symbol={row.token.symbol}
                        address={row.token.address}
                        name={row.token.name}
                        networkId={row.network}
                        image={row.image}
                        size={24}
                      />
                    ),
                  },
                  ...FIGURES.map(({ title, cell }) => ({
                    title,
                    class: "right num",
                    sort: sorted(title),
                    cell,
                  })),
                  { title: "Chain", cell: (row) => <ChainTag chain={row.chain} /> },
                ]}
              />
            );
          }}
        </Loaded>
      </section>
    </>
  );
}
