const { Table } = require('dynamodb-onetable')

const Match = {
    ulid: /^[0-9A-Z]{26}$/,
    email: /^(([^<>()[\]\\.,;:\s@"]+)*)@x$/,
}

const MySchema = {
    format: 'onetable:1.1.0',
    version: '0.0.1',
    indexes: {
        primary: { hash: 'pk', sort: 'sk' },
        gs1: { hash: 'gs1pk', sort: 'gs1sk', project: ['name'], follow: true },
        ls1: { type: 'local', sort: 'rank' },
    },
    models: {
        Account: {
            pk: { type: String, value: 'account#${id}' },
            sk: { type: String, value: '${_type}#' },
            id: { type: String, generate: 'ulid', validate: Match.ulid },
            name: { type: String, required: true, unique: true },
            balance: { type: Number, default: 0 },
            rank: Number,
            status: { type: String, enum: ['idle', 'active'] },
            zip: { type: String, encrypt: true },
        },
        User: {
            pk: { type: String, value: 'account#${accountId}' },
            sk: { type: String, value: 'user#${number:6:0}' },
            gs1pk: { type: String, value: (item) => `USER#${item.email.toLowerCase()}` },
            gs1sk: { type: String, value: computeIt },
            accountId: { type: String },
            number: { type: Number },
            email: { type: String, validate: Match.email },
        },
    },
    params: { isoDates: true, timestamps: true },
}

export const table = new Table({ client, name: 'Shop', schema: MySchema, partial: true })
