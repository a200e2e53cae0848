/** A picture that failed before scripts ran has told nobody: looked at when it comes to the page. */
export const noticeBroken =
  (notice: () => void) =>
  (image: HTMLImageElement | null): void => {
    if (image?.complete && image.naturalWidth === 0 && image.currentSrc !== '') notice();
  };
