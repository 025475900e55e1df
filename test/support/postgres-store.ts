// Databases on PostgreSQL that have the service's tables. Making the tables takes longer than most tests, so it is done once in a
// process, and the others are copies.
import { openDatabase } from "../../database/open.ts";
import { migrateStore } from "../../service/store/migrations.ts";
import { sharedPostgres } from "./postgres.ts";

const models = new Map<number, Promise<string>>();

/** As it is after it was opened for the first time at that moment. */
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
