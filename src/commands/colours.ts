/** Whether the output may have colours: at a terminal, unless `NO_COLOR` is set or the terminal displays none. */
export function hasColours(): boolean {
  const { stdout } = process;
  return stdout.isTTY === true && stdout.hasColors();
}
