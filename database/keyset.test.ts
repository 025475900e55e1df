import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beyond, type Keyset, type KeysetOrder, orderAndLimit, within } from "./keyset.ts";
import { openDatabase } from "./open.ts";
import { raw, sql, where } from "./sql.ts";

const ROWS = 500;
const LIMIT = 7;
const RANGE = { from: 20, to: 130 };

for (const direction of ["ASC", "DESC"] as const) {
  const order: KeysetOrder = { column: "at", idColumn: "id", direction };

  test(`pages of a range, ${direction}, return each of its rows once and in order`, async () => {
    const folder = mkdtempSync(join(tmpdir(), "crowdtape-keyset-"));
    const database = await openDatabase({ file: join(folder, "things.sqlite") });
    await database.write(async (tx) => {
      await tx.run(raw("CREATE TABLE thing (id TEXT PRIMARY KEY, at BIGINT NOT NULL)"));
      // Several per moment, so that a page ends within one.
      for (let n = 0; n < ROWS; n++)
        await tx.run(sql`INSERT INTO thing (id, at) VALUES (${`id${n}`}, ${n % 150})`);
    });
    const expected = await database.read.all<{ id: string }>(
      sql`SELECT id FROM thing WHERE at >= ${RANGE.from} AND at < ${RANGE.to}
        ORDER BY ${raw(`at ${direction}, id ${direction}`)}`,
    );
    const walked: string[] = [];
    let cursor: Keyset | null = null;
    for (;;) {
      const rows: { id: string; at: number }[] = await database.read.all(
        sql`SELECT id, at FROM thing ${where([within(order, RANGE, cursor), ...beyond(order, cursor)])}
          ${orderAndLimit(order, LIMIT)}`,
      );
      const page = rows.slice(0, LIMIT);
      walked.push(...page.map(({ id }) => id));
      const last = page.at(-1);
      if (rows.length <= LIMIT || !last) break;
      cursor = { value: last.at, id: last.id };
    }
    expect(walked).toEqual(expected.map(({ id }) => id));
    await database.close();
    rmSync(folder, { recursive: true });
  });
}

test("the range of a page begins where the previous page ended, and never outside the requested one", () => {
  const [up, down] = (["ASC", "DESC"] as const).map(
    (direction): KeysetOrder => ({ column: "at", idColumn: "id", direction }),
  ) as [KeysetOrder, KeysetOrder];
  const boundsOf = (order: KeysetOrder, value: number | null) =>
    within(order, RANGE, value === null ? null : { value, id: "a" }).values;
  expect(boundsOf(up, null)).toEqual([20, 130]);
  expect(boundsOf(up, 90)).toEqual([90, 130]);
  expect(boundsOf(down, 90)).toEqual([20, 91]);
  expect(boundsOf(up, 3)).toEqual([20, 130]);
  expect(boundsOf(down, 900)).toEqual([20, 130]);
});
