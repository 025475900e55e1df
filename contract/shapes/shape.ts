// A named shape: the documents, the clients' types and the tests use the name.
import { z } from "zod";

export const shape = <Fields extends z.core.$ZodLooseShape>(
  id: string,
  description: string,
  fields: Fields,
) => z.strictObject(fields).meta({ id, description });
