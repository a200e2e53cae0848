export { DebugHost } from './debug-host.tsx';
