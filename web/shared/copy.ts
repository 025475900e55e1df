// Copying that also works when the page was loaded without TLS, where browsers offer no clipboard API: through a selected text
// field and the old command.

export async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard !== undefined) {
    const done = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    if (done) return true;
  }
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "off-screen";
  field.setAttribute("aria-hidden", "true");
  document.body.append(field);
  const before = document.activeElement as HTMLElement | null;
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  before?.focus();
  return done;
}
