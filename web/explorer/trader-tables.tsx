/** @jsxImportSource preact */
// A trader's positions and fills as tables, paged by cursor.
import type { PositionsAnswer, SwapsAnswer } from "../../client/src/generated.ts";
import { Ago, Gain, Moment, SideTag, TokenCell } from "../shared/bits.tsx";
import { count, price, span, usd } from "../shared/format.ts";
import { useAnswer, usePage } from "../shared/query.tsx";
import { Loaded } from "../shared/states.tsx";
import { Table, type TableColumn, useMore } from "../shared/table.tsx";
import { pathOf } from "./answers.ts";
import { PositionChartCell } from "./position-chart.tsx";
import { type PositionCharts, usePositionCharts } from "./use-position-charts.ts";

type ListedPosition = PositionsAnswer["positions"][number];
type ListedFill = SwapsAnswer["swaps"][number];

const PAGE_ROWS = 15;
const FILL_ROWS = 25;

export const positionsPath = (handle: string, status: "open" | "closed") =>
  pathOf(`/v2/users/${encodeURIComponent(handle)}/positions`, {
    status,
    limit: PAGE_ROWS,
    sort: status === "open" ? "size" : "recent",
  });

export function Positions(props: { handle: string; status: "open" | "closed"; expected: number }) {
  const { handle, status, expected } = props;
  const { renderedAt } = usePage();
  const path = positionsPath(handle, status);
  const answer = useAnswer<PositionsAnswer>(path);
  const more = useMore<ListedPosition>(path, (body: PositionsAnswer) => ({
    rows: body.positions,
    next: body.nextCursor,
  }));
  const listed = [...(answer.body?.positions ?? []), ...more.rows];
  const charts = usePositionCharts(
    handle,
    listed.map(({ tradeId }) => tradeId),
  );
  return (
    <Loaded
      answer={answer}
      rows={Math.min(Math.max(1, expected), PAGE_ROWS)}
      rowsOf="positions"
      isEmpty={(body) => body.positions.length === 0}
      empty={status === "open" ? "Nothing is open." : "Nothing was closed yet."}
    >
      {(body) => (
        <>
          <Table
            label={`${status} positions`}
            columns={positionColumns(status === "open", renderedAt, charts)}
            rows={listed}
            keyOf={(row) => row.tradeId}
          />
          {more.button(body.nextCursor)}
        </>
      )}
    </Loaded>
  );
}

const endOf = ({ closedAt }: ListedPosition) => (closedAt === null ? null : Date.parse(closedAt));

const positionColumns = (
  isOpen: boolean,
  renderedAt: number,
  charts: PositionCharts,
): TableColumn<ListedPosition>[] => [
  {
    title: "Token",
    cell: (row) => <TokenCell token={row.token} networkId={row.chainId} chain={row.chain} />,
  },
  {
    title: "Chart",
    cell: (row) => <PositionChartCell tradeId={row.tradeId} symbol={row.token.symbol} charts={charts} />,
  },
  {
    title: "Entry",
    class: "right num spare",
    cell: (row) =>
      row.avgEntryPrice === null ? <span class="soft">received</span> : price(row.avgEntryPrice),
  },
  {
    title: isOpen ? "Now" : "Exit",
    class: "right num",
    cell: (row) => price(isOpen ? row.priceUsd : row.avgExitPrice),
  },
  {
    title: isOpen ? "Worth" : "Cost",
    class: "right num",
    cell: (row) =>
      usd(isOpen ? (row.priceUsd === null ? null : row.amount * row.priceUsd) : row.costBasisUsd),
  },
  {
    title: "PnL",
    class: "right",
    cell: (row) => (
      <a class="plain-link" href={`/trades/${row.tradeId}`} title="This trade, fill by fill">
        <Gain usd={row.pnlUsd} />
      </a>
    ),
  },
  {
    title: "Held",
    class: "right num soft spare",
    cell: (row) => span((endOf(row) ?? renderedAt) - Date.parse(row.createdAt)),
  },
  {
    title: isOpen ? "Since" : "Closed",
    class: "right",
    cell: (row) => {
      const ended = endOf(row);
      return ended === null ? <Moment at={Date.parse(row.createdAt)} as="day" /> : <Ago at={ended} />;
    },
  },
];

export function Fills({ handle, expected }: { handle: string; expected: number }) {
  const path = pathOf(`/v2/users/${encodeURIComponent(handle)}/swaps`, { limit: FILL_ROWS });
  const answer = useAnswer<SwapsAnswer>(path);
  const more = useMore<ListedFill>(path, (body: SwapsAnswer) => ({
    rows: body.swaps,
    next: body.nextCursor,
  }));
  return (
    <Loaded
      answer={answer}
      rows={Math.min(Math.max(1, expected), FILL_ROWS)}
      rowsOf="fills"
      isEmpty={(body) => body.swaps.length === 0}
      empty="No fills."
    >
      {(body) => (
        <>
          <Table
            label="Fills"
            columns={FILL_COLUMNS}
            rows={[...body.swaps, ...more.rows]}
            keyOf={(row) => row.swapId}
          />
          {more.button(body.nextCursor)}
        </>
      )}
    </Loaded>
  );
}

const tradedIn = (row: ListedFill) => (row.side === "buy" ? row.tokenOut : row.tokenIn);

const FILL_COLUMNS: TableColumn<ListedFill>[] = [
  { title: "When", class: "num soft", cell: (row) => <Moment at={Date.parse(row.at)} /> },
  { title: "Side", cell: (row) => <SideTag side={row.side} /> },
  {
    title: "Token",
    cell: (row) => <TokenCell token={tradedIn(row)} networkId={row.chainId} chain={row.chain} size={16} />,
  },
  { title: "Amount", class: "right num", cell: (row) => count(tradedIn(row).amount) },
  { title: "Price", class: "right num", cell: (row) => price(row.priceUsd) },
  { title: "Worth", class: "right num", cell: (row) => usd(tradedIn(row).usd) },
  { title: "Fee", class: "right num soft spare", cell: (row) => usd(row.feeUsd) },
];
