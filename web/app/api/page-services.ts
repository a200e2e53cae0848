import { createContext } from 'react-router';
import type { PageServices } from '@bowerbird/contract';

/** What the host gives to loaders and actions on the server: `context.get(pageServices)`. */
export const pageServices = createContext<PageServices>();
