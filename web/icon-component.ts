import { createElement, type SVGProps } from 'react';

/** Part of an icon's module in lucide-react. */
interface IconData {
  readonly node: readonly (readonly [tag: string, attributes: object])[];
}

interface IconProps extends SVGProps<SVGSVGElement> {
  readonly size?: number | string;
}

/**
 * Replaces lucide-react's `createLucideIcon` in builds: the same picture, for the properties that pages use. The shapes
 * are created once for all icons, and hundreds of them make a page.
 */
export default function createIcon({ node }: IconData) {
  const shapes = node.map(([tag, attributes]) => createElement(tag, attributes));
  return function Icon({ size = 24, className, ...others }: IconProps) {
    return createElement(
      'svg',
      {
        xmlns: 'http://www.w3.org/2000/svg',
        width: size,
        height: size,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 2,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        className: className ? `lucide ${className}` : 'lucide',
        // An icon without a name of its own only decorates.
        'aria-hidden': !('aria-label' in others) && !('role' in others) ? true : undefined,
        ...others,
      },
      shapes,
    );
  };
}
