/** The client id of our own web pages. */
export const WEB_CLIENT_ID = 'bowerbird-web';
