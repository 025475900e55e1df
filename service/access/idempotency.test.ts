import { expect, test } from "bun:test";
import { Fault, fault } from "../../contract/errors.ts";
import { sql } from "../../database/sql.ts";
import { DAY_MS, HOUR_MS } from "../../kit/units.ts";
import { eventually } from "../../test/support/eventually.ts";
import { onEngine } from "../../test/support/needing.ts";
import { createIdempotency } from "./idempotency.ts";
import { DIALECTS, testAccess } from "./test-support.ts";

const request = {
  subject: "acc_1",
  routeId: "createKey",
  idempotencyKey: "4f6c",
  credential: "Bearer a",
  body: '{"name":"a"}',
};
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "worked",
    (error: Fault) => error.code,
  );

for (const dialect of DIALECTS) {
  onEngine(dialect).describe(`Idempotency-Key on ${dialect}`, () => {
    test("the work is done once; a repetition gets the same answer for 24 hours, then it is done again", async () => {
      const { access, clock, close } = await testAccess(dialect);
      let done = 0;
      const work = async () => ({ status: 201, answer: `answer ${++done} – ünïcode` });
      const first = await access.idempotency.run(request, work);
      expect(first).toEqual({ status: 201, answer: "answer 1 – ünïcode", replayed: false });
      await clock.advance(DAY_MS - 1);
      expect(await access.idempotency.run(request, work)).toEqual({ ...first, replayed: true });
      await clock.advance(1);
      expect((await access.idempotency.run(request, work)).answer).toBe("answer 2 – ünïcode");
      await close();
    });

    test("another body is a conflict; another caller, route or Idempotency-Key is another call", async () => {
      const { access, close } = await testAccess(dialect);
      let done = 0;
      const work = async () => ({ status: 200, answer: String(++done) });
      await access.idempotency.run(request, work);
      expect(await codeOf(access.idempotency.run({ ...request, body: "{}" }, work))).toBe("conflict");
      expect(await codeOf(access.idempotency.run({ ...request, credential: "Bearer b" }, work))).toBe(
        "conflict",
      );
      for (const other of [{ subject: "acc_2" }, { routeId: "pay" }, { idempotencyKey: "other" }]) {
        expect((await access.idempotency.run({ ...request, ...other }, work)).replayed).toBe(false);
      }
      expect(done).toBe(4);
      await close();
    });

    test("of calls at once one works and the others get a conflict, on two nodes", async () => {
      const first = await testAccess(dialect);
      const second = await testAccess(dialect, { store: first.store, clock: first.clock });
      const gate = Promise.withResolvers<void>();
      let done = 0;
      const work = async () => {
        done++;
        await gate.promise;
        return { status: 200, answer: "x" };
      };
      const nodes = [first.access, second.access];
      const calls = Array.from({ length: 6 }, (_, i) =>
        codeOf((nodes[i % 2] ?? first.access).idempotency.run(request, work)),
      );
      let conflicts = 0;
      for (const each of calls) void each.then((outcome) => (conflicts += outcome === "conflict" ? 1 : 0));
      await eventually(() => conflicts === 5, "five of six get a conflict");
      gate.resolve();
      const outcomes = await Promise.all(calls);
      expect(done).toBe(1);
      expect(outcomes.filter((outcome) => outcome === "worked")).toHaveLength(1);
      await second.close();
      await first.close();
    });

    test("a refusal is not kept, and a holder that died is replaced when its time is over", async () => {
      const { access, clock, database, close } = await testAccess(dialect);
      const refuse = async () => {
        throw fault("not_found", "No.");
      };
      expect(await codeOf(access.idempotency.run(request, refuse))).toBe("not_found");
      const died = createIdempotency({ database, clock });
      const holding = Promise.withResolvers<void>();
      void died.run(request, () => {
        holding.resolve();
        return new Promise(() => {});
      });
      await holding.promise;
      const work = async () => ({ status: 200, answer: "y" });
      expect(await codeOf(access.idempotency.run(request, work))).toBe("conflict");
      await clock.advance(60_000);
      expect((await access.idempotency.run(request, work)).answer).toBe("y");
      await close();
    });

    test("what may have been charged is done at most once: a holder that died is not replaced", async () => {
      const { access, clock, database, close } = await testAccess(dialect);
      const charged = { ...request, atMostOnce: true };
      const holding = Promise.withResolvers<void>();
      void createIdempotency({ database, clock }).run(charged, () => {
        holding.resolve();
        return new Promise(() => {});
      });
      await holding.promise;
      const work = async () => ({ status: 200, answer: "y" });
      for (const waitedMs of [0, 60_000, 23 * HOUR_MS - 60_000]) {
        await clock.advance(waitedMs);
        const refused = await access.idempotency.run(charged, work).catch((error: Fault) => error);
        expect(refused).toMatchObject({ code: "conflict" });
        // Worth waiting for only as long as it may still come.
        expect((refused as Fault).details.retryAfterSeconds).toBe(waitedMs === 0 ? 1 : undefined);
      }
      await close();
    });

    test("what broke off after a part of it may have been charged is not done again; what was refused is", async () => {
      const { access, close } = await testAccess(dialect);
      const charged = { ...request, atMostOnce: true };
      let times = 0;
      const fails = (error: Error) => async () => {
        times += 1;
        throw error;
      };
      const tried = (work: () => Promise<{ status: number; answer: string }>) =>
        access.idempotency.run(charged, work).then(
          ({ answer }) => answer,
          (error: Error) => (error instanceof Fault ? error.code : error.message),
        );
      expect(await tried(fails(fault("invalid_body", "This is no read.")))).toBe("invalid_body");
      expect(await tried(fails(new Error("the caller went away")))).toBe("the caller went away");
      expect(await tried(async () => ({ status: 200, answer: "again" }))).toBe("conflict");
      expect(times).toBe(2);
      await close();
    });

    test("an answer of a megabyte comes back as it was, and is kept small", async () => {
      const { access, database, close } = await testAccess(dialect);
      const answer = JSON.stringify(Array.from({ length: 20_000 }, (_, row) => ({ row, note: "größer ✓" })));
      const work = async () => ({ status: 200, answer });
      await access.idempotency.run(request, work);
      const again = await access.idempotency.run(request, work);
      expect([again.replayed, again.answer === answer]).toEqual([true, true]);
      const [kept] = await database.read.all<{ size: number }>(
        sql`SELECT length(answer) AS size FROM idempotent_answer`,
      );
      expect(Number(kept?.size)).toBeLessThan(answer.length / 4);
      await close();
    });
  });
}

test("a key of a wrong form is a bad parameter", async () => {
  const { access, close } = await testAccess();
  for (const idempotencyKey of ["", " ", "a b", "ü", "x".repeat(256)]) {
    const work = async () => ({ status: 200, answer: "" });
    const error = await access.idempotency
      .run({ ...request, idempotencyKey }, work)
      .catch((thrown) => thrown);
    expect(error).toBeInstanceOf(Fault);
    expect((error as Fault).code).toBe("invalid_parameter");
  }
  await close();
});
