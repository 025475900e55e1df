// Stored bodies: read back as they were written; anything else is rejected.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { codec, UnreadableBody } from "./bodies.ts";

interface Note {
  id: string;
  words: string | null;
  likes: number;
}

const notes = codec<Note>("note", ["id"]);

describe("a stored body", () => {
  test("is read back as it was written, and has its version first", () => {
    fc.assert(
      fc.property(
        fc.record({ id: fc.string(), words: fc.option(fc.string()), likes: fc.integer() }),
        (note) => {
          const body = notes.encode(note);
          expect(body.startsWith('{"v":1,')).toBe(true);
          expect(JSON.parse(body)).toEqual({ v: 1, ...note });
          expect(notes.decode(body)).toEqual(note);
        },
      ),
    );
  });

  test("from before a field was added is read with the field's default", () => {
    const added = codec<Note>("note", ["id"], { words: null, likes: 3 });
    expect(added.decode('{"v":1,"id":"a","likes":7}')).toEqual({ id: "a", words: null, likes: 7 });
  });

  test("of another version, or a corrupt one, is a dedicated error and never a value", () => {
    expect(() => notes.decode('{"v":2,"id":"a"}')).toThrow("newer version");
    expect(() => notes.decode('{"v":11,"id":"a"}')).toThrow("newer version");
    const bodies = ["", "{", "null", "[]", "7", '{"v":1,"words":"no id"}', '{"v":1,', '{"id":"a"}'];
    for (const body of bodies) expect(() => notes.decode(body)).toThrow(UnreadableBody);
  });
});
