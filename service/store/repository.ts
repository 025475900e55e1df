// Repositories are plain functions over `database | tx`: the caller owns the transaction, and several share one by
// receiving the same `tx`. `bind` makes a node's handle to them, for callers for which each call is a separate
// transaction; it is the only place where one is opened on a repository's behalf.
import type { Database, Queries, WriteOptions } from "../../database/database.ts";

type Over<Where> = (where: Where, ...rest: never[]) => Promise<unknown>;

type Bound<Where, Calls> = {
  [Name in keyof Calls]: Calls[Name] extends (where: Where, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

export interface Repository {
  /** Run outside any transaction. */
  reads: Record<string, Over<Queries>>;
  /** Each runs in a transaction. */
  writes: Record<string, Over<Queries>>;
  /** Work in steps, each in a separate transaction, so that a large clean-up blocks no one. */
  inSteps?: Record<string, Over<Database>>;
}

export type RepositoryHandle<R extends Repository> = Bound<Queries, R["reads"]> &
  Bound<Queries, R["writes"]> &
  Bound<Database, NonNullable<R["inSteps"]>>;

export function bind<R extends Repository>(
  database: Database,
  repository: R,
  options?: WriteOptions,
): RepositoryHandle<R> {
  const handle: Record<string, (...rest: never[]) => Promise<unknown>> = {};
  for (const [name, read] of Object.entries(repository.reads))
    handle[name] = (...rest) => read(database.read, ...rest);
  for (const [name, write] of Object.entries(repository.writes))
    handle[name] = (...rest) => database.write((tx) => write(tx, ...rest), options);
  for (const [name, steps] of Object.entries(repository.inSteps ?? {}))
    handle[name] = (...rest) => steps(database, ...rest);
  return handle as RepositoryHandle<R>;
}
