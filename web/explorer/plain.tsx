/** @jsxImportSource preact */
// A page that is not there, for people: what was looked for, and where to go on.
import { usePage } from "../shared/query.tsx";

export function NotFoundPage() {
  const page = usePage();
  return (
    <section class="card narrow lost">
      <h1>There is no such page.</h1>
      <p>
        <code>{page.params.path}</code> leads nowhere. It may be mistyped, or something that the platform has
        forgotten.
      </p>
      <p class="actions">
        <a class="button" href="/">
          Home
        </a>
        <a class="button plain" href="/search">
          Search
        </a>
        <a class="button plain" href="/docs">
          API reference
        </a>
      </p>
    </section>
  );
}
