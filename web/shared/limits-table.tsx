/** @jsxImportSource preact */
// What each plan includes, next to the limits without a key: read from the contract, shown by the pricing page and the
// reference.
import { KEYLESS, PLANS, type Plan } from "../../contract/plans.ts";
import { Scroll } from "./bits.tsx";
import { dollars, grouped } from "./format.ts";

const ROWS: readonly [name: string, keyless: string, cell: (plan: Plan) => string][] = [
  ["A month", "–", ({ priceUsd }) => dollars(priceUsd)],
  ["Credits a month", "–", ({ creditsPerMonth }) => grouped(creditsPerMonth)],
  [
    "Requests a minute",
    `${KEYLESS.requestsPerMinute} per address`,
    ({ requestsPerMinute }) => grouped(requestsPerMinute),
  ],
  ["Sockets at once", `${KEYLESS.socketsAtOnce} per address`, ({ socketsAtOnce }) => String(socketsAtOnce)],
  ["Webhooks", "–", ({ webhooks }) => (webhooks === 0 ? "–" : String(webhooks))],
  ["Wallet resolutions a month", "–", ({ resolutionsPerMonth }) => grouped(resolutionsPerMonth)],
  ["App feed", `${KEYLESS.delaySeconds} s late`, (plan) => feedOf(plan)],
  ["On-chain stream, candles", "–", ({ onChain }) => (onChain ? "yes" : "–")],
];

/** The delay of a plan's app feed. */
export function feedOf({ delaySeconds, realtimeDays }: Plan): string {
  if (delaySeconds === 0) return "real time";
  const late = `${delaySeconds} s late`;
  return realtimeDays === null ? late : `real time for ${realtimeDays} days, then ${late}`;
}

export function LimitsTable() {
  const plans = Object.values(PLANS);
  return (
    <Scroll label="All limits">
      <table>
        <thead>
          <tr>
            <td />
            <th scope="col">No key</th>
            {plans.map(({ name, title }) => (
              <th key={name} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ROWS.map(([name, keyless, cell]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{keyless}</td>
              {plans.map((plan) => (
                <td key={plan.name}>{cell(plan)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
