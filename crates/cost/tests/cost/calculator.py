"""Asks the cost calculator of AWS's DynamoDB MCP server: python calculator.py < MODELS > RESULTS

MODELS is a JSON object: for each name the input of the calculator, a DataModel. RESULTS has its CostModel by the same names.
"""

import json
import sys

from awslabs.dynamodb_mcp_server.cost_performance_calculator.cost_calculator import calculate_cost
from awslabs.dynamodb_mcp_server.cost_performance_calculator.data_model import DataModel

results = {
    name: calculate_cost(DataModel.model_validate(model)).model_dump()
    for name, model in json.load(sys.stdin).items()
}
json.dump(results, sys.stdout)
