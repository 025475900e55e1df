// Presents a noun as a shape of the contract: fields with the same name are passed through, so that a new field of the
// protocol is served as soon as the contract has it. Fields that differ in name or form are passed in ready-made.
import type { z } from "zod";

/** The compiler requires each field of the shape to be either the noun's, in the same form, or in `Made`. */
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

/** Cached, because a shape's keys are needed for every row. */
function fieldsOf(shape: z.ZodObject): readonly string[] {
  const known = FIELDS.get(shape);
  if (known) return known;
  const names = Object.keys(shape.shape);
  FIELDS.set(shape, names);
  return names;
}
