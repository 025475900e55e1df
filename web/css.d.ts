// Style sheets are read as text and put into the page.
declare module "*.css" {
  const text: string;
  export default text;
}
