/** Thrown for invalid arguments or circumstances that the caller of a command has to change; the message explains how. */
export class CommandMistake extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CommandMistake';
  }
}
