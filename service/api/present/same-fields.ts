// Presents a noun as a shape of the contract: what both call by the same name travels as it is, so that a new field of the
// protocol is served as soon as the contract has it. What differs in name or form is handed over ready-made.
import type { z } from "zod";

/** The compiler insists that each field of the shape is either the noun's own, in the same form, or made. */
export function presentAs<
  Shape extends z.ZodObject,
  Made extends Partial<z.output<Shape>>,
  Noun extends Omit<z.output<Shape>, keyof Made>,
>(shape: Shape, noun: Noun, made: Made): z.output<Shape> {
  const presented: Record<string, unknown> = {};
  for (const name of fieldsOf(shape)) {
    const value = name in made ? made[name as keyof Made] : noun[name as keyof Noun];
    if (value !== undefined) presented[name] = value;
  }
  return presented as z.output<Shape>;
}

const FIELDS = new WeakMap<z.ZodObject, readonly string[]>();

/** Kept, because a shape's keys are asked for with every row. */
function fieldsOf(shape: z.ZodObject): readonly string[] {
  const known = FIELDS.get(shape);
  if (known) return known;
  const names = Object.keys(shape.shape);
  FIELDS.set(shape, names);
  return names;
}
