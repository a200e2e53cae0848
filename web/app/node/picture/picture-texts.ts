/** Exposure time in seconds as photographers write it: "1/250", "0.5", "2". */
export function exposureTime(seconds: number, number: (n: number) => string): string {
  return seconds < 0.3 ? `1/${Math.round(1 / seconds)}` : number(Number(seconds.toFixed(1)));
}

/** Address of a map with a mark at the place. */
export function mapAddress(latitude: number, longitude: number): string {
  const [north, east] = [latitude.toFixed(5), longitude.toFixed(5)];
  return `https://www.openstreetmap.org/?mlat=${north}&mlon=${east}#map=15/${north}/${east}`;
}
