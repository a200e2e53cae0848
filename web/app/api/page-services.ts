import { createContext } from 'react-router';
import type { PageServices } from '@bowerbird/contract';

/** Services that the host provides to loaders and actions on the server: `context.get(pageServices)`. */
export const pageServices = createContext<PageServices>();
