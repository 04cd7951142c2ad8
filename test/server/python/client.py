"""OpenAI's Python client against a server: prints as JSON what came of each way to ask."""
import json
import sys

from openai import BadRequestError, OpenAI
from pydantic import BaseModel

client = OpenAI(base_url=sys.argv[1], api_key="none", max_retries=0)
model = "practice"
question = {"role": "user", "content": "What is 31 plus 11?"}
add = {
    "type": "function",
    "function": {
        "name": "math.add",
        "description": "Adds two numbers.",
        "strict": True,
        "parameters": {
            "type": "object",
            "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
            "required": ["a", "b"],
            "additionalProperties": False,
        },
    },
}


def create():
    answer = client.chat.completions.create(model=model, messages=[question], tools=[add])
    call = answer.choices[0].message.tool_calls[0]
    return {
        "finish": answer.choices[0].finish_reason,
        "name": call.function.name,
        "arguments": json.loads(call.function.arguments),
        "generated": answer.usage.completion_tokens,
    }


def stream():
    chunks = list(
        client.chat.completions.create(
            model=model,
            messages=[question],
            tools=[add],
            stream=True,
            stream_options={"include_usage": True},
        )
    )
    calls = [call for chunk in chunks for choice in chunk.choices for call in choice.delta.tool_calls or []]
    return {
        "names": [call.function.name for call in calls if call.function.name],
        "pieces": len(calls),
        "arguments": json.loads("".join(call.function.arguments or "" for call in calls)),
        "generated": chunks[-1].usage.completion_tokens,
    }


def helper_stream():
    """The client's own stream, which puts the chunks together and gives each a name."""
    with client.chat.completions.stream(model=model, messages=[question], tools=[add]) as events:
        kinds = [event.type for event in events]
        message = events.get_final_completion().choices[0].message
    return {
        "kinds": sorted(set(kinds)),
        "arguments": message.tool_calls[0].function.parsed_arguments,
    }


def run_tools():
    messages = [question]
    made = []
    while True:
        answer = client.chat.completions.create(model=model, messages=messages, tools=[add])
        message = answer.choices[0].message
        if not message.tool_calls:
            cached = answer.usage.prompt_tokens_details.cached_tokens
            return {"made": made, "answer": message.content, "cached": cached}
        messages.append(message)
        for call in message.tool_calls:
            arguments = json.loads(call.function.arguments)
            made.append(arguments)
            total = str(arguments["a"] + arguments["b"])
            messages.append({"role": "tool", "tool_call_id": call.id, "content": total})


class Answer(BaseModel):
    sum: int
    certain: bool


def parse():
    answer = client.chat.completions.parse(model=model, messages=[question], response_format=Answer)
    return {"fields": sorted(answer.choices[0].message.parsed.model_dump())}


def responses():
    answer = client.responses.parse(model=model, input=question["content"], text_format=Answer)
    with client.responses.stream(
        model=model, input=question["content"], tools=[{"type": "function", **add["function"]}]
    ) as events:
        kinds = [event.type for event in events]
        output = events.get_final_response().output
    return {
        "fields": sorted(answer.output_parsed.model_dump()),
        "last": kinds[-1],
        "names": [item.name for item in output if item.type == "function_call"],
    }


def refused():
    try:
        client.chat.completions.create(model=model, messages=[question], temperature=7)
    except BadRequestError as error:
        return {"status": error.status_code, "param": error.param}


checks = [create, stream, helper_stream, run_tools, parse, responses, refused]
print(json.dumps({check.__name__: check() for check in checks}))
