/** A picture that failed before scripts ran has sent no event: its state is checked when it is mounted. */
export const noticeBroken =
  (notice: () => void) =>
  (image: HTMLImageElement | null): void => {
    if (image?.complete && image.naturalWidth === 0 && image.currentSrc !== '') notice();
  };
