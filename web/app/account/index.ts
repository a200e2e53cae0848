export { CodeHost } from './code-host.tsx';
export { SignInHost } from './sign-in-host.tsx';
