/** @jsxImportSource preact */
// The traders worth following: ranked by a follower's worst-case profit, allowing for luck.
import type { CopyBoardAnswer, CopyBoardRow } from "../../client/src/generated.ts";
import { Ago, Gain, Tabs, TraderLink } from "../shared/bits.tsx";
import { count, percent, share, usd } from "../shared/format.ts";
import { useAnswer, usePage } from "../shared/query.tsx";
import { Loaded } from "../shared/states.tsx";
import { Table, type TableColumn } from "../shared/table.tsx";
import { pathOf } from "./answers.ts";
import { COPY_WINDOWS, DOUBTS, VERDICTS } from "./copy-verdict.ts";
import { RankedBy } from "./ranked-by.tsx";

const ROWS = 100;

export const copyBoardPath = (window: string) => pathOf(`/v2/leaderboard/copy/${window}`, { limit: ROWS });

export function CopyBoardPage() {
  const window = usePage().params.window ?? "30d";
  const answer = useAnswer<CopyBoardAnswer>(copyBoardPath(window), { everyMs: 60_000 });
  const terms = answer.body?.terms;
  return (
    <>
      <header class="page-head">
        <h1>Who was worth following</h1>
        <p class="soft">
          What a follower would have been left with: {usd(terms?.sizeUsd ?? 100)} on each buy,{" "}
          {terms?.delaySeconds ?? 5} s behind, selling as the trader sells. Ranked by the least that is left,
          luck aside. A trader's past is no promise.
        </p>
        <div class="page-tools">
          <RankedBy current="copy" window={window} />
          <Tabs
            label="Window"
            values={COPY_WINDOWS}
            current={window}
            hrefOf={(value) => `/leaderboard/copy/${value}`}
          />
        </div>
      </header>
      {answer.body?.note ? <p class="soft note">{answer.body.note}</p> : null}
      <section class="card">
        <Loaded
          answer={answer}
          rows={16}
          isEmpty={(body) => body.traders.length === 0}
          empty="Nobody was replayed in this window yet."
        >
          {(body) => (
            <Table
              label="Who was worth following"
              class="leaders"
              rows={body.traders}
              keyOf={(row) => row.userId}
              columns={COLUMNS}
            />
          )}
        </Loaded>
      </section>
    </>
  );
}

const COLUMNS: TableColumn<CopyBoardRow>[] = [
  { title: "#", class: "rank num", cell: (row) => row.rank },
  {
    title: "Trader",
    cell: (row) => <TraderLink handle={row.handle} name={row.displayName} avatar={row.avatar} size={24} />,
  },
  { title: "At least", class: "right", cell: (row) => <Gain usd={row.low90Usd} /> },
  { title: "At most", class: "right", cell: (row) => <Gain usd={row.high90Usd} quiet /> },
  { title: "Left", class: "right", cell: (row) => <Gain usd={row.pnlUsd} /> },
  {
    title: "Return",
    class: "right num",
    cell: (row) => (row.roi === null ? "–" : percent(row.roi * 100)),
  },
  { title: "Round trips", class: "right num", cell: (row) => count(row.roundTrips) },
  { title: "Priced by the tape", class: "right num soft", cell: (row) => share(row.covered) },
  { title: "Verdict", cell: (row) => <VerdictLink row={row} /> },
  { title: "As of", class: "right soft", cell: (row) => <Ago at={Date.parse(row.asOf)} /> },
];

/** Links to the card where visitors can try their own terms. */
function VerdictLink({ row }: { row: CopyBoardRow }) {
  const [tone, words] = VERDICTS[row.verdict];
  const why = row.doubts.map((doubt) => DOUBTS[doubt]).join(" and ");
  return (
    <a href={`/traders/${encodeURIComponent(row.handle)}#copy`} title={why}>
      <span class={`chip ${tone}`}>{words}</span>
    </a>
  );
}
