/** @jsxImportSource preact */
// A trade's fills and transfers, each with its transaction: a link to the chain's explorer, and the hash to copy.
import type { TradeDetail } from "../../client/src/generated.ts";
import { Copyable, Moment, SideTag } from "../shared/bits.tsx";
import { count, price, usd } from "../shared/format.ts";
import { usePage } from "../shared/query.tsx";
import { Table, type TableColumn, useMore } from "../shared/table.tsx";
import { transactionLink } from "./chain-links.ts";

type ListedSwap = TradeDetail["swaps"][number];
type ListedTransfer = TradeDetail["transfers"][number];

const tradedIn = (fill: ListedSwap) => (fill.side === "buy" ? fill.tokenOut : fill.tokenIn);

function Transaction({ chainId, txHash }: { chainId: number; txHash: string }) {
  const link = transactionLink(chainId, txHash);
  return (
    <span class="pair" id={txHash}>
      {link ? (
        <a href={link.href} rel="noreferrer noopener" target="_blank">
          {link.name}
          <span class="off-screen">, transaction {txHash}, in a new tab</span>
        </a>
      ) : null}
      <Copyable text={txHash} label="the transaction" />
    </span>
  );
}

const FILL_COLUMNS: TableColumn<ListedSwap>[] = [
  { title: "When", class: "num soft", cell: (row) => <Moment at={Date.parse(row.at)} /> },
  { title: "Side", cell: (row) => <SideTag side={row.side} /> },
  { title: "Amount", class: "right num", cell: (row) => count(tradedIn(row).amount) },
  { title: "Price", class: "right num", cell: (row) => price(row.priceUsd) },
  { title: "Worth", class: "right num", cell: (row) => usd(tradedIn(row).usd) },
  { title: "Fee", class: "right num soft spare", cell: (row) => usd(row.feeUsd) },
  { title: "Transaction", cell: (row) => <Transaction chainId={row.chainId} txHash={row.txHash} /> },
];

export function TradeFills({ path, trade }: { path: string; trade: TradeDetail }) {
  const { isSimulated } = usePage();
  const more = useMore<ListedSwap>(path, (body: TradeDetail) => ({
    rows: body.swaps,
    next: body.nextCursor,
  }));
  return (
    <>
      <Table
        label="Fills"
        columns={FILL_COLUMNS}
        rows={[...trade.swaps, ...more.rows]}
        keyOf={(row) => row.swapId}
      />
      {more.button(trade.nextCursor)}
      {isSimulated ? (
        <p class="soft note">This world is simulated: its transactions are on no chain.</p>
      ) : null}
    </>
  );
}

export function TradeTransfers({ trade }: { trade: TradeDetail }) {
  const columns: TableColumn<ListedTransfer>[] = [
    { title: "When", class: "num soft", cell: (row) => <Moment at={Date.parse(row.at)} /> },
    { title: "Way", cell: (row) => (row.direction === "in" ? "received" : "sent") },
    { title: "Amount", class: "right num", cell: (row) => count(row.amount) },
    { title: "Worth then", class: "right num", cell: (row) => usd(row.valueUsd) },
    { title: "Transaction", cell: (row) => <Transaction chainId={trade.chainId} txHash={row.txHash} /> },
  ];
  return <Table label="Transfers" columns={columns} rows={trade.transfers} keyOf={(row) => row.transferId} />;
}
