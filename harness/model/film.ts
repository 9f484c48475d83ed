/** What a page looked like while it was loaded, in a load that counts for nothing: taking pictures takes time. */
export interface Film {
  /** The page load time of the load that was filmed. */
  readonly pltMs: number;
  /** In the order of time; each differs from the one before. */
  readonly frames: readonly FilmFrame[];
}

export interface FilmFrame {
  /** Since navigation began. */
  readonly atMs: number;
  /** A small picture as JPEG, in base64. */
  readonly jpeg: string;
}
