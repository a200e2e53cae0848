export { CodeHost } from './sign-in/code-host.tsx';
export { SignInHost } from './sign-in/sign-in-host.tsx';
