// Stored bodies: read back as they were written, whatever version wrote them; and no model changes its shape unless
// its codec learns to read what is stored already.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { codec, UnreadableBody, unversioned } from "./bodies.ts";

interface Note {
  id: string;
  words: string | null;
  likes: number;
}

const first = codec<Note>({ noun: "note", always: ["id"], steps: [unversioned] });
const second = codec<Note & { pinned: boolean }>({
  noun: "note",
  always: ["id"],
  steps: [unversioned, (body) => ({ ...body, pinned: false })],
});

describe("a stored body", () => {
  test("comes back as it went in, and says its version first", () => {
    fc.assert(
      fc.property(
        fc.record({ id: fc.string(), words: fc.option(fc.string()), likes: fc.integer() }),
        (note) => {
          const body = first.encode(note);
          expect(body.startsWith('{"v":1,')).toBe(true);
          expect(JSON.parse(body)).toEqual({ v: 1, ...note });
          expect(first.decode(body)).toEqual(note);
        },
      ),
    );
  });

  test("of an older version, or from before there were versions, is brought up to date as it is read", () => {
    const note = { id: "a", words: null, likes: 2 };
    expect(second.decode(first.encode(note))).toEqual({ ...note, pinned: false });
    expect(second.decode(JSON.stringify(note))).toEqual({ ...note, pinned: false });
    const pinned = { ...note, pinned: true };
    expect(second.decode(second.encode(pinned))).toEqual(pinned);
  });

  test("of a newer version, or a damaged one, is an error of its own kind and never a value", () => {
    const newer = second.encode({ id: "a", words: null, likes: 2, pinned: true });
    expect(() => first.decode(newer)).toThrow(UnreadableBody);
    expect(() => first.decode(newer)).toThrow("newer version");
    for (const body of ["", "{", "null", "[]", "7", '{"v":1,"words":"no id"}', '{"v":1,', '{"words":null}'])
      expect(() => first.decode(body)).toThrow(UnreadableBody);
  });
});
