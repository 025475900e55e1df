// Style sheets are imported as text and embedded into the page.
declare module "*.css" {
  const text: string;
  export default text;
}
