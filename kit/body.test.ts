import { expect, test } from "bun:test";
import fc from "fast-check";
import { readBody } from "./body.ts";

function sending(chunks: readonly Uint8Array[], fault?: Error): Response {
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks[sent++];
      if (chunk) controller.enqueue(chunk);
      else if (fault) controller.error(fault);
      else controller.close();
    },
  });
  return new Response(body);
}

test("a body is read completely up to its bound and rejected beyond it, however it is chunked", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ minLength: 1, maxLength: 20 }), { maxLength: 10 }),
      fc.nat(120),
      async (chunks, bytesMax) => {
        const all = Buffer.concat(chunks);
        const read = await readBody(sending(chunks), bytesMax);
        if (all.length > bytesMax) expect(read).toEqual({ kind: "tooLarge" });
        else expect(read.kind === "whole" && Buffer.from(read.bytes)).toEqual(all);
      },
    ),
  );
});

test("a length that is declared beyond the bound is refused without reading", async () => {
  const source = new Response("1234567890", { headers: { "content-length": "10" } });
  expect(await readBody(source, 9)).toEqual({ kind: "tooLarge" });
  expect(source.bodyUsed).toBe(false);
});

test("a connection that ends early is distinguished from a short body", async () => {
  const cause = new Error("gone");
  expect(await readBody(sending([new Uint8Array(3)], cause), 9)).toEqual({ kind: "cut", cause });
  expect(await readBody(new Response(null), 9)).toEqual({ kind: "whole", bytes: new Uint8Array() });
});
