// Databases on PostgreSQL with the service's tables. Creating the tables takes longer than most tests, so it is done once per
// process, and the others are copies.
import { openDatabase } from "../../database/open.ts";
import { migrateStore } from "../../service/store/migrations.ts";
import { sharedPostgres } from "./postgres.ts";

const models = new Map<number, Promise<string>>();

/** In its state right after it was first opened at that moment. */
export async function createStoreDatabase(openedAt: number): Promise<string> {
  const model = models.get(openedAt) ?? makeModel(openedAt);
  models.set(openedAt, model);
  return (await sharedPostgres()).createDatabase(await model);
}

async function makeModel(openedAt: number): Promise<string> {
  const url = await (await sharedPostgres()).createDatabase();
  const database = await openDatabase({ url });
  await migrateStore(database, openedAt);
  await database.close();
  return url;
}
