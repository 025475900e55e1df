/** @jsxImportSource preact */
// A window's profit, position by position: the value at the start, the realized and the remaining part, down to the sum.
import { useEffect, useRef, useState } from "preact/hooks";
import type { PnlProofAnswer, ProofPosition } from "../../client/src/generated.ts";
import { Gain, TokenLink } from "../shared/bits.tsx";
import { count, usd } from "../shared/format.ts";
import { useAnswer } from "../shared/query.tsx";
import { Loaded } from "../shared/states.tsx";
import { Table } from "../shared/table.tsx";
import { proofPath } from "./answers.ts";
import { ProvedGain, tradeProof } from "./proof-link.tsx";

export function ProfitProof({ handle, window }: { handle: string; window: string }) {
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDetailsElement>(null);
  // Opens when it is the target of a link.
  useEffect(() => {
    const show = () => {
      if (location.hash !== "#proof" || !box.current) return;
      box.current.open = true;
      box.current.scrollIntoView();
    };
    show();
    addEventListener("hashchange", show);
    return () => removeEventListener("hashchange", show);
  }, []);
  return (
    <details id="proof" class="proof" ref={box} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Proof: what this profit is made of</summary>
      {isOpen ? <ProofRows handle={handle} window={window} /> : null}
    </details>
  );
}

function ProofRows({ handle, window }: { handle: string; window: string }) {
  const answer = useAnswer<PnlProofAnswer>(proofPath(handle, window));
  return (
    <Loaded answer={answer} rows={6} isEmpty={(body) => body.total === 0} empty="No position was open.">
      {(body) => (
        <>
          <Table
            rows={body.positions}
            keyOf={(row) => row.tradeId}
            columns={[
              {
                title: "Token",
                cell: ({ token, chainId }: ProofPosition) => (
                  <TokenLink
                    symbol={token.symbol}
                    address={token.address}
                    networkId={chainId}
                    image={token.image}
                    size={16}
                  />
                ),
              },
              { title: "Before", class: "right", cell: ({ opening }) => money(opening.valueUsd) },
              {
                title: "Moves",
                class: "right",
                cell: ({ moves }) => <span class="num">{count(moves.length)}</span>,
              },
              { title: "Fees", class: "right", cell: ({ feesUsd }) => money(feesUsd) },
              { title: "After", class: "right", cell: ({ closing }) => money(closing.valueUsd) },
              {
                title: "Net",
                class: "right",
                cell: ({ pnlUsd, tradeId }) =>
                  pnlUsd === null ? (
                    <span class="soft">not known</span>
                  ) : (
                    <ProvedGain usd={pnlUsd} proof={tradeProof(tradeId)} />
                  ),
              },
            ]}
          />
          <p class="soft note">
            {count(body.total)} positions come to <Gain usd={body.pnlUsd} />: {usd(body.grossPnlUsd)} less{" "}
            {usd(body.feesUsd)} of fees.{" "}
            {body.count < body.total ? `The ${body.count} largest are shown; the API has all of them.` : null}
          </p>
        </>
      )}
    </Loaded>
  );
}

const money = (value: number | null) => <span class="num">{value === null ? "–" : usd(value)}</span>;
